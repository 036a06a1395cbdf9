/** An address that is not here; only the path behind it counts. */
const NOWHERE = 'http://own.invalid';

/** Longer ones come from nobody's page. */
const LENGTH_LIMIT = 2_000;

/**
 * The path and query of a page of ours that somebody wants to go back to; undefined for anything that a browser could read as an
 * address elsewhere, however it is written.
 */
export function ownPath(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > LENGTH_LIMIT || !isPlain(text) || !isPlain(decoded(text)))
    return undefined;
  const url = URL.parse(text, NOWHERE);
  if (url?.origin !== NOWHERE) return undefined;
  return isPlain(url.pathname) ? url.pathname + url.search : undefined;
}

/** One slash, then neither another nor what browsers take for one; no characters that they leave out. */
function isPlain(text: string): boolean {
  return /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
