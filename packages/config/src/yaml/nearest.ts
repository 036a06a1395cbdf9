import { closest, distance } from 'fastest-levenshtein';

/** A third of the letters may differ: `plan_reveiw` is a slip of the finger, `colour` is not one of ours. */
const TOLERANCE = 3;

/** The known word that was probably meant; undefined when none is near. */
export function nearestOf(word: string, known: readonly string[]): string | undefined {
  // Beyond this length the word is no slip of the finger, and comparing costs the product of the lengths.
  if (known.length === 0 || word.length > 50) return undefined;
  const nearest = closest(word, known);
  return distance(word, nearest) <= Math.max(1, Math.floor(nearest.length / TOLERANCE)) ? nearest : undefined;
}
