/** People on GitHub. A login can be given up, and then be registered by somebody else; an id stays that of one person. */
import { defined } from '@nereid/domain/defined';

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

/** GitHub returns null, or an object without fields, for somebody whom it does not know: by a commit's email address, for instance. */
export function personOf(account: object | null | undefined): Person | undefined {
  if (!account || !('login' in account) || typeof account.login !== 'string') return undefined;
  // GitHub's description allows for ids that no number holds exactly; none has come near.
  const id = 'id' in account ? Number(account.id) : undefined;
  return { login: account.login, ...defined({ id }) };
}

/** An App, which does something for a person whom GitHub does not tell. */
export function isBot({ login }: Person): boolean {
  return login.endsWith('[bot]');
}
