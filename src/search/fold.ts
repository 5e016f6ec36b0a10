const NOT_ASCII = /[\u0080-\uffff]/;

/**
 * Combining accents of Latin, Greek and Cyrillic. Marks of other scripts stay, since they are vowels (Thai, Hindi) or
 * another letter (か and が); so does the breve of й, which is a letter of its own to Russian and to its stemmer.
 */
const ACCENTS = /(?<![иИ])\u0306|[\u0300-\u0305\u0307-\u036f]/gu;

/** Letters that have no accent to take off but are spelled in two ways. */
const LETTERS = /[ßæœøłđıẞÆŒØŁĐ]/gu;

const SPELLINGS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'Ae',
  œ: 'oe',
  Œ: 'Oe',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ı: 'i',
};

export function isAscii(text: string): boolean {
  return !NOT_ASCII.test(text);
}

/** The text without accents and compatibility forms (full-width letters, ligatures); upper case stays. */
export function foldAccents(text: string): string {
  if (isAscii(text)) return text;
  return text
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .replace(LETTERS, (letter) => SPELLINGS[letter] ?? letter);
}

/** The text in lower case; a sigma is the same letter at the end of a word as within it. */
export function toLower(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

/**
 * What two names have in common when they differ only in case, accents and separators: `GitHub create-issue` and
 * `github__create_issue` are both `githubcreateissue`. Empty for a text without letters and digits.
 */
export function foldName(text: string): string {
  return toLower(foldAccents(text)).replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
}
