/** More names would make a sentence too long. */
const NAMES_LIMIT = 20;

/** Names in a sentence: "network, database and 3 more". */
export function listNames(names: readonly string[]): string {
  const listed = names.slice(0, NAMES_LIMIT).join(', ');
  return names.length > NAMES_LIMIT ? `${listed} and ${names.length - NAMES_LIMIT} more` : listed;
}
