/** The id of the operator's account, by which a person stays operator whatever their login becomes. */
import { githubApiUrlOf } from '@nereid/config';
import type { Call } from '../call.ts';
import { EXIT, ExitError } from '../exit-code.ts';
import { Owner } from './kept/app.ts';
import { askGitHub } from './app/ask-github.ts';

/** `login#id`: as typed, or with the id that GitHub tells everybody. Throws a sentence when it does not. */
export async function operatorWithId({ world }: Call, operator: string, githubUrl: string): Promise<string> {
  if (operator.includes('#')) return operator;
  const url = `${githubApiUrlOf(githubUrl)}/users/${operator}`;
  const answer = await askGitHub({ method: 'GET', url }, Owner, world.signal);
  if (answer.kind === 'other') throw noId(url, operator, answer.found);
  const { login, id, type } = answer.value;
  if (type !== 'User' || login.toLowerCase() !== operator.toLowerCase()) throw noId(url, operator, 'no such person');
  return `${operator}#${id}`;
}

/** Some servers tell only people who are logged in, and github.com does not tell one address often. */
function noId(url: string, operator: string, found: string): ExitError {
  return new ExitError(
    EXIT.refused,
    `expected GitHub to give the id of the operator’s account at ${url}, found ${found}; give --operator ${operator}#ID, with the id that you see there`,
  );
}
