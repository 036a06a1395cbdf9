import { LOGIN } from '@nereid/domain/person';
import { described, list, text } from '../yaml/schema.ts';

/** A list of people longer than this is a team. */
export const MEMBER_LIMIT = 100;

export const TEAM = text('a team as "organisation/slug"', /^[\w.-]+\/[\w.-]+$/);

export const TEAMS = described(
  list(TEAM, MEMBER_LIMIT),
  "a member of one of them. A team that does not exist on GitHub has no members; `config check` cannot detect that, but refusals say so, and the worker's log warns once",
  'list of `organisation/slug`',
);
export const USERS = described(list(text('a GitHub login', LOGIN), MEMBER_LIMIT), 'one of them', 'list of logins');
