import { closest, distance } from 'fastest-levenshtein';

/** A third of the letters may differ: `plan_reveiw` is a typo, `colour` is not one of our words. */
const TOLERANCE = 3;

/** The known word that was probably meant; undefined when none is near. */
export function nearestOf(word: string, known: readonly string[]): string | undefined {
  // A longer word is not a typo, and comparing costs the product of the lengths.
  if (known.length === 0 || word.length > 50) return undefined;
  const nearest = closest(word, known);
  return distance(word, nearest) <= Math.max(1, Math.floor(nearest.length / TOLERANCE)) ? nearest : undefined;
}
