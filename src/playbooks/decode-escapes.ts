/** The text with its `%20` escapes decoded; as it is where they are none: a lone `%` is a character of the name. */
export function decodeEscapes(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
