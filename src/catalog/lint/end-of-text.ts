/** Offset behind the last character that is no blank and no line end. A regular expression would look at every blank as a beginning. */
export function endOfText(text: string): number {
  let end = text.length;
  while (end > 0 && ' \t\r\n'.includes(text[end - 1] ?? '')) end -= 1;
  return end;
}
