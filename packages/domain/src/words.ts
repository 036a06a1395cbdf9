/** A clause as the beginning of a sentence, or of a title. */
export function capitalised(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}`;
}

/** The beginning of a sentence within another one. */
export function uncapitalised(clause: string): string {
  return `${clause.charAt(0).toLowerCase()}${clause.slice(1)}`;
}
