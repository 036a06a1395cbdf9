import { ROLES, type Account, type Repository, type Role } from './model.ts';
import type { Store } from './store.ts';

/** The account of this login, created if it is new. */
export function ensureAccount(store: Store, login: string, type: Account['type'] = 'User'): Account {
  const known = findAccount(store, login);
  if (known) return known;
  const account: Account = { id: store.newId(), login, type };
  store.state.accounts.push(account);
  return account;
}

/** Everything of a person goes on under the new login. */
export function renameAccount(store: Store, login: string, to: string): void {
  const account = findAccount(store, login);
  if (!account) throw new Error(`there is no account ${login}`);
  account.login = to;
  for (const { collaborators } of store.state.repositories) {
    const role = collaborators[login];
    if (role === undefined) continue;
    Reflect.deleteProperty(collaborators, login);
    collaborators[to] = role;
  }
  for (const { holder } of store.state.tokens)
    if (holder.kind !== 'installation' && sameName(holder.login, login)) holder.login = to;
  store.changed();
}

/** Ignores case: no code host has two logins that differ only in case. */
export function findAccount(store: Store, login: string): Account | undefined {
  return store.state.accounts.find((account) => sameName(account.login, login));
}

/** The role of a person in a repository; undefined for none. The owner, if a person, is its admin. */
export function roleOf(repository: Repository, login: string): Role | undefined {
  if (sameName(repository.owner, login)) return 'admin';
  return Object.entries(repository.collaborators).find(([name]) => sameName(name, login))?.[1];
}

export function hasRole(repository: Repository, login: string, least: Role): boolean {
  const role = roleOf(repository, login);
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(least);
}

export function sameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** A person's signature on commits; GitHub recognises the person by the email address. */
export function signatureOf(store: Store, login: string): { readonly name: string; readonly email: string } {
  const account = ensureAccount(store, login);
  return { name: account.login, email: `${account.id}+${account.login}@users.noreply.github.com` };
}
