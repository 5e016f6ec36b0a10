/** The package is CommonJS and ships no types: this is the part that `stem.ts` calls. */
declare module 'snowball-stemmers' {
  interface Stemmer {
    stem(word: string): string;
  }
  interface Snowball {
    newStemmer(language: 'english' | 'russian'): Stemmer;
  }
  const snowball: Snowball;
  export = snowball;
}
