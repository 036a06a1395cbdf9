/** People on GitHub. A login can be given up, and then be registered by somebody else; an id stays that of one person. */

export interface Person {
  /** GitHub login. */
  readonly login: string;
  /** GitHub's id of the person; absent where GitHub told only the login. */
  readonly id?: number | undefined;
}

/** Compares ids where both are known, and logins otherwise. GitHub ignores the case of logins. */
export function isSamePerson(one: Person, other: Person): boolean {
  if (one.id !== undefined && other.id !== undefined) return one.id === other.id;
  return one.login.toLowerCase() === other.login.toLowerCase();
}
