/** Printable characters that JSON and HTML leave as they are. */
const DIGITS = Array.from({ length: 94 }, (_, at) => String.fromCodePoint(33 + at)).filter(
  (char) => !'"\\<&'.includes(char),
);
const LAST_DIGITS = 60;
const MORE_DIGITS = DIGITS.length - LAST_DIGITS;
const VALUES: ReadonlyMap<string, number> = new Map(DIGITS.map((char, value) => [char, value]));

/**
 * Whole numbers from 0 as text: one character for each below 60, two below 1,860. Half of what JSON takes; a year of a large library
 * is a few hundred thousand numbers.
 * @see Thompson & Turnbull 2011, Source Map revision 3 proposal, for the idea (Base64 VLQ).
 */
export function numbersToText(numbers: Iterable<number>): string {
  let text = '';
  for (const number of numbers) {
    let left = number;
    while (left >= LAST_DIGITS) {
      left -= LAST_DIGITS;
      text += DIGITS[LAST_DIGITS + (left % MORE_DIGITS)] ?? '';
      left = Math.floor(left / MORE_DIGITS);
    }
    text += DIGITS[left] ?? '';
  }
  return text;
}

/** The numbers of a text that `numbersToText` made. */
export function textToNumbers(text: string): readonly number[] {
  const numbers: number[] = [];
  let number = 0;
  let factor = 1;
  for (const char of text) {
    const value = VALUES.get(char) ?? 0;
    number += factor * value;
    if (value >= LAST_DIGITS) {
      // The digit itself stands for so much, and what follows counts in steps of `MORE_DIGITS`.
      factor *= MORE_DIGITS;
      continue;
    }
    numbers.push(number);
    number = 0;
    factor = 1;
  }
  return numbers;
}
