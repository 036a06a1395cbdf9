/**
 * Who may do what is about no repository, such as drain hosts: one rule for the console, which asks before it passes a request on, and
 * for control, which judges. Pure.
 */
import { coversEverything, isOperator, type ConsolePolicy, type Operator } from '@nereid/config';
import { ACTIONS, type OperatorAction } from '@nereid/domain/actions';
import type { Identity } from './identity.ts';

/** More names would make a sentence too long. */
const NAMES_LIMIT = 20;

/** Why the token of a script may not ask for it: a clause; undefined for one that may. */
export function whyTokenNotForOperators(
  token: NonNullable<Identity['token']>,
  action: OperatorAction,
): string | undefined {
  const { scope } = ACTIONS[action].console;
  if (!token.scopes.includes(scope)) return `the token ${token.name} has no scope "${scope}"`;
  // A host works for all repositories, so who drains it stops the work of others.
  if (!coversEverything(token))
    return `the token ${token.name} is for some repositories only, and ${OF_ALL[scope]} all of them: make one without --repositories`;
  return undefined;
}

const OF_ALL = {
  hosts: 'a host works for',
  notifications: 'a destination is told of',
  stop: 'a pool works for',
} as const;

/** Why this person may not ask for it: a clause; undefined for an operator. */
export function whyNotOperator(
  policy: Pick<ConsolePolicy, 'operators'>,
  person: Operator,
  action: OperatorAction,
): string | undefined {
  const { operators } = policy;
  const { infinitive } = ACTIONS[action];
  if (isOperator(policy, person)) return undefined;
  if (operators.length === 0) return `nobody may ${infinitive}: console.operators in the server's file names nobody`;
  const named = operators.slice(0, NAMES_LIMIT).map(({ login }) => `@${login}`);
  return `@${person.login} may not ${infinitive}: ask ${named.join(', ')}${operators.length > NAMES_LIMIT ? ' or another operator' : ''}`;
}
