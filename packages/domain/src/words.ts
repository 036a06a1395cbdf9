/** A clause as the beginning of a sentence, or of a title. */
export function capitalised(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}`;
}
