import { parseCookie } from 'cookie';
import type { Request } from 'express';
import { hasRole } from '../state/accounts.ts';
import type { Repository, Role } from '../state/model.ts';
import type { World } from '../world.ts';

/** The person who looks at a page: the one chosen at its top, else one with the strongest role in any repository. */
export function viewerOf(world: World, request: Request): string {
  const people = peopleOf(world);
  const { who: chosen } = parseCookie(request.get('cookie') ?? '');
  return people.find((login) => login === chosen) ?? people[0] ?? 'nobody';
}

/** Everybody with a role in a repository, those with the strongest roles first. */
export function peopleOf(world: World): string[] {
  const strength = (login: string): number => STRONGEST.findIndex((role) => isSomewhere(world, login, role));
  return world.store.state.accounts
    .filter(({ type }) => type === 'User')
    .map(({ login }) => login)
    .filter((login) => isSomewhere(world, login, 'read'))
    .sort((one, other) => strength(one) - strength(other));
}

export function mayWrite(repository: Repository, login: string): boolean {
  return hasRole(repository, login, 'write');
}

const STRONGEST: readonly Role[] = ['admin', 'maintain', 'write', 'triage', 'read'];

function isSomewhere(world: World, login: string, role: Role): boolean {
  return world.store.state.repositories.some((repository) => hasRole(repository, login, role));
}
