import snowball from 'snowball-stemmers';

const english = snowball.newStemmer('english');
const russian = snowball.newStemmer('russian');

const LATIN = /^[a-z0-9]+$/;
const CYRILLIC = /^[а-я]+$/;

/**
 * The stem of a folded word: English for Latin letters, Russian for Cyrillic ones, the word itself for any other script.
 * Stemmed until nothing changes, so that the stem of a stem is itself and a tool called `generat` and `generations` meet.
 * @see https://snowballstem.org/algorithms/
 */
export function stem(word: string): string {
  const stemmer = LATIN.test(word) ? english : CYRILLIC.test(word) ? russian : undefined;
  if (stemmer === undefined) return word;
  let previous = word;
  let current = stemmer.stem(word);
  // An empty stem would lose the word; neither algorithm lengthens a word, so this ends.
  while (current !== previous && current !== '') {
    previous = current;
    current = stemmer.stem(previous);
  }
  return previous;
}
