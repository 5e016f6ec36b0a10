/** A phrase that tries to put itself above what the agent was told. */
export interface OverridePhrase {
  readonly index: number;
  readonly phrase: string;
  readonly isInComment: boolean;
  /**
   * True where the text talks about the phrase instead of saying it (in quotes, in a table, as something to detect), and where an
   * author may only want less noise: “do not tell the user about each call”.
   */
  readonly isMild: boolean;
}

const OLD = String.raw`(?:previous|prior|above|earlier|preceding|foregoing|original|system)`;
const ORDERS = String.raw`(?:instructions?|prompts?|rules|directives|guidelines|guardrails|training|programming)`;
const PHRASES: readonly string[] = [
  String.raw`(?:ignore|disregard|forget|override|bypass)\s+(?:(?:all|any|every|the|your|these|those|of)\s+){0,3}${OLD}\s+(?:\w+\s+)?${ORDERS}`,
  String.raw`(?:ignore|disregard|forget)\s+(?:(?:all|any)\s+)?(?:of\s+)?your\s+(?:\w+\s+)?${ORDERS}`,
  String.raw`(?:ignore|disregard|forget)\s+(?:everything|all|anything)\s+(?:you\s+(?:were|have been|know)|above|before|that came before)`,
  String.raw`(?:do not|don't|never)\s+(?:ever\s+)?(?:tell|inform|notify|alert|warn)\s+(?:the\s+)?(?:user|human|operator)s?(?=\s*(?:[.!;,"”]|-->|$|about\b|of\b|that (?:you|this|we|it)\b|you\b|what\b|anything\b|this\b|or\b))`,
  String.raw`(?:do not|don't|never)\s+(?:mention|reveal|disclose|report)\s+(?:this|these|any of this|it|that you (?:did|were|have))\b[^.\n]{0,40}\bto\s+(?:the\s+)?(?:user|human|operator)s?`,
  String.raw`(?<!(?:never|not|don't|avoid)\b[^.\n]{0,80})\bwithout\s+(?:ever\s+)?(?:telling|informing|notifying|alerting)\s+the\s+(?:user|human|operator)`,
  String.raw`(?:hide|conceal|keep)\s+(?:this|these|it)\s+(?:\w+\s+){0,2}(?:secret\s+)?from\s+(?:the\s+)?(?:user|human|operator)`,
  String.raw`you\s+are\s+now\s+(?:in\s+)?(?:DAN\b|(?:developer|god|jailbreak|unrestricted|admin)\s+mode|(?:an?\s+)?(?:unrestricted|unfiltered|jailbroken))`,
  String.raw`(?:reveal|print|output|leak|send|repeat)\s+(?:me\s+)?(?:your|the)\s+(?:full\s+|entire\s+|hidden\s+)?system\s+prompt`,
  String.raw`(?:bypass|disable|turn off|circumvent)\s+(?:all\s+|any\s+|your\s+|the\s+)?(?:safety|security|content)\s+(?:guidelines|filters?|restrictions|measures|guardrails|policies)`,
  String.raw`<\|(?:im_start|system|start_header_id)\|>|\[\/?INST\]|<<SYS>>`,
];
const OVERRIDE = new RegExp(
  PHRASES.map((phrase) =>
    phrase.startsWith('<') || phrase.startsWith('(?<!') ? phrase : String.raw`\b${phrase}`,
  ).join('|'),
  'gi',
);
/** Words of a text that teaches to recognise or refuse such phrases. */
const TALKED_ABOUT =
  /\b(?:detect\w*|inject\w*|attack\w*|attempt\w*|attacker|adversar\w*|malicious|jailbreak\w*|prompts? that|phrases?|patterns?|examples?|e\.g\.|such as|like|flag|refus\w*|reject\w*|treat|untrusted|suspicious|contain\w*|says?|asks?|block\w*|prevent\w*|resist\w*|attempts? to|tries|try|instructions? (?:such|like|that)|must not|cannot|can't)\b/i;

/** Whether there is such a phrase anywhere in a text, be it in code. */
export function mayOverride(text: string): boolean {
  return readable(text).search(OVERRIDE) !== -1;
}

/** Words may be torn apart by what nobody sees; each such character is one code unit, so that places stay. */
function readable(text: string): string {
  return text.replace(/[\u00AD\u200B-\u200F\u2060-\u2064\uFEFF]/g, ' ');
}

/**
 * Phrases of override in a text, in order.
 * @param prose the text with its code blanked out; comments included
 */
export function findOverrides(prose: string): readonly OverridePhrase[] {
  const comments = [...prose.matchAll(/<!--[\s\S]*?(?:-->|$)/g)].map(({ index, 0: { length } }) => ({ index, length }));
  return [...readable(prose).matchAll(OVERRIDE)].map(({ index, 0: phrase }) => {
    const isInComment = comments.some((comment) => index > comment.index && index < comment.index + comment.length);
    return {
      index,
      phrase,
      isInComment,
      isMild: !isInComment && (isTalkedAbout(prose, index, phrase) || isTrifle(prose, index + phrase.length, phrase)),
    };
  });
}

/** Characters to either side that tell how a phrase is meant; a line of a megabyte must not be read for each of its phrases. */
const NEARBY = 300;

function isTrifle(prose: string, end: number, phrase: string): boolean {
  return (
    /\b(?:tell|inform|notify|alert|warn)\b/i.test(phrase) &&
    /^\s*about\s+(?!this|that|it\b|what)/i.test(prose.slice(end, end + 40))
  );
}

function isTalkedAbout(prose: string, index: number, phrase: string): boolean {
  const end = index + phrase.length;
  const lineStart = prose.lastIndexOf('\n', index) + 1;
  const before = prose.slice(Math.max(lineStart, index - NEARBY), index);
  const [after = ''] = prose.slice(end, end + NEARBY).split('\n', 1);
  if (/^\s*[|>]/.test(prose.slice(lineStart, lineStart + 40))) return true;
  if (/["“'‘«„][^"”'’»\n]{0,60}$/.test(before) && /^[^"“”'’»\n]{0,160}["”'’»]/.test(after)) return true;
  return (
    TALKED_ABOUT.test(before) ||
    TALKED_ABOUT.test(after) ||
    /\b(?:never|not|don't|avoid|no)\s+(?:\w+\s+){0,2}$/i.test(before)
  );
}
