const COMMON = /\b(?:the|an?|and|or|to|of|for|with|in|on|from|by|is|are|this|that|it|when|use|using|your|how)\b/gi;
/** English prose has one common word in three; a list of names in any language has none. */
const FEWEST_COMMON_RATIO = 0.12;

/** Whether a text is English for certain; a short or mixed one is not, since nothing sound can be said about its words. */
export function isEnglish(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/[A-Za-z]/g)?.length ?? 0;
  if (letters === 0 || latin / letters < 0.95) return false;
  const words = text.match(/[A-Za-z]+/g)?.length ?? 0;
  const common = text.match(COMMON)?.length ?? 0;
  return words >= 4 && common / words >= FEWEST_COMMON_RATIO;
}
