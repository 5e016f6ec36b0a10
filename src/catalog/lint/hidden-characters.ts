/** A run of characters that nobody sees. */
export interface HiddenRun {
  /** In UTF-16 code units. */
  readonly index: number;
  readonly codePoints: readonly number[];
  readonly kind: 'bidi' | 'zero-width' | 'tag' | 'selector' | 'control';
}

const BIDI = String.raw`\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069`;
const ZERO_WIDTH = String.raw`\u00AD\u034F\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200D\u2060-\u2065\u206A-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB`;
const CONTROL = String.raw`\u0000-\u0008\u000E-\u001F\u007F-\u009F`;
const HIDDEN = new RegExp(
  `[${BIDI}]+|[${ZERO_WIDTH}]+|[\\u{E0000}-\\u{E007F}]+|[\\uFE00-\\uFE0F]{2,}|[\\u{E0100}-\\u{E01EF}]{2,}|[${CONTROL}]+`,
  'gu',
);
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** Scripts in which joiners change how a word is written, and those without blanks in which a zero-width space parts words. */
const JOINING =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Thai}\p{Script=Lao}\p{Script=Tibetan}]/u;
const EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]/u;
const BLACK_FLAG = 0x1f3f4;
const END_OF_TAG = 0xe007f;

/**
 * The hidden characters of a text, in order. Left out is what scripts need: joiners in emoji and in words of scripts that join,
 * direction marks in a text with right-to-left letters, zero-width spaces between Thai words, the tags of a flag.
 * @see Unicode Technical Report 36, Unicode security considerations
 */
export function findHidden(text: string): readonly HiddenRun[] {
  const runs = [...text.matchAll(HIDDEN)];
  const isRightToLeft = runs.length > 0 && RIGHT_TO_LEFT.test(text);
  return runs.flatMap(({ index, 0: run }) => {
    const codePoints = Array.from(run, (character) => character.codePointAt(0) ?? 0);
    const around = { before: before(text, index), after: after(text, index + run.length), isRightToLeft };
    return isNeeded(codePoints, around) ? [] : [{ index, codePoints, kind: kindOf(codePoints[0] ?? 0) }];
  });
}

interface Surroundings {
  readonly before: string;
  readonly after: string;
  readonly isRightToLeft: boolean;
}

function isNeeded(codePoints: readonly number[], { before: left, after: right, isRightToLeft }: Surroundings): boolean {
  const [only = 0] = codePoints;
  if (kindOf(only) === 'tag')
    return left.codePointAt(0) === BLACK_FLAG && codePoints.at(-1) === END_OF_TAG && codePoints.length <= 7;
  if (codePoints.length > 1) return false;
  if (only === 0x200d && EMOJI.test(left) && EMOJI.test(right)) return true;
  if ([0x200b, 0x200c, 0x200d].includes(only)) return JOINING.test(left) || JOINING.test(right);
  // A mark beside right-to-left letters orders brackets and numbers; the controls that turn whole lines around are never needed.
  return [0x200e, 0x200f, 0x061c].includes(only) && isRightToLeft;
}

function before(text: string, index: number): string {
  const units = text.slice(Math.max(0, index - 2), index);
  return Array.from(units).at(-1) ?? '';
}

function after(text: string, index: number): string {
  return Array.from(text.slice(index, index + 2))[0] ?? '';
}

function kindOf(codePoint: number): HiddenRun['kind'] {
  if (codePoint >= 0xe0000 && codePoint <= 0xe007f) return 'tag';
  if ((codePoint >= 0xfe00 && codePoint <= 0xfe0f) || codePoint >= 0xe0100) return 'selector';
  if (codePoint < 0x20 || (codePoint >= 0x7f && codePoint < 0xa0)) return 'control';
  return new RegExp(`[${BIDI}]`, 'u').test(String.fromCodePoint(codePoint)) ? 'bidi' : 'zero-width';
}

const NAMES: ReadonlyMap<number, string> = new Map([
  [0x00ad, 'soft hyphen'],
  [0x034f, 'combining grapheme joiner'],
  [0x061c, 'Arabic letter mark'],
  [0x1b, 'escape'],
  [0x200b, 'zero width space'],
  [0x200c, 'zero width non-joiner'],
  [0x200d, 'zero width joiner'],
  [0x200e, 'left-to-right mark'],
  [0x200f, 'right-to-left mark'],
  [0x202a, 'left-to-right embedding'],
  [0x202b, 'right-to-left embedding'],
  [0x202c, 'pop directional formatting'],
  [0x202d, 'left-to-right override'],
  [0x202e, 'right-to-left override'],
  [0x2060, 'word joiner'],
  [0x2061, 'function application'],
  [0x2062, 'invisible times'],
  [0x2063, 'invisible separator'],
  [0x2064, 'invisible plus'],
  [0x2066, 'left-to-right isolate'],
  [0x2067, 'right-to-left isolate'],
  [0x2068, 'first strong isolate'],
  [0x2069, 'pop directional isolate'],
  [0x3164, 'Hangul filler'],
  [0xfeff, 'byte order mark'],
  [0xffa0, 'halfwidth Hangul filler'],
]);
const KINDS = {
  bidi: 'direction control',
  'zero-width': 'zero-width character',
  tag: 'tag character',
  selector: 'variation selector',
  control: 'control character',
} as const;

/** `U+200B zero width space`. */
export function nameOf(codePoint: number, kind: HiddenRun['kind']): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')} ${NAMES.get(codePoint) ?? KINDS[kind]}`;
}

/** What tag characters, or variation selectors used as bytes, spell in ASCII; '' where it is nothing to read. */
export function spelledBy({ codePoints, kind }: HiddenRun): string {
  if (kind !== 'tag') return '';
  return codePoints
    .map((codePoint) => codePoint - 0xe0000)
    .filter((code) => code >= 0x20 && code < 0x7f)
    .map((code) => String.fromCharCode(code))
    .join('');
}
