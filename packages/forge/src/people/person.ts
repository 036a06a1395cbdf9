/** People on a forge. A login can be given up, and then be registered by somebody else; an id stays that of one person. */

export interface Person {
  readonly login: string;
  /** The forge's id of the person; absent where it told only the login. */
  readonly id?: number | undefined;
}

/** Compares ids where both are known, and logins otherwise. Forges ignore the case of logins. */
export function isSamePerson(one: Person, other: Person): boolean {
  if (one.id !== undefined && other.id !== undefined) return one.id === other.id;
  return one.login.toLowerCase() === other.login.toLowerCase();
}

/** A program, which does something for a person whom the forge does not tell. */
export function isBot({ login }: Person): boolean {
  return login.endsWith('[bot]');
}
