import type { RequestAnswer } from '@nereid/api';
import { parseRepository, parseSha } from '../../arguments/names.ts';
import { TIMEOUT, WAIT } from '../../arguments/verb-description.ts';
import type { Call } from '../../call.ts';
import type { Client } from '../../client/client.ts';
import { EXIT, ExitError, type ExitCode } from '../../exit-code.ts';
import { waitForEnds } from '../../wait/wait-for-ends.ts';
import { ANSWER_MS, GOES_ON, showAnswer } from './act.ts';
import type { Verb } from '../verb.ts';

export const deploy: Verb = {
  name: 'deploy',
  group: 'Act',
  summary: 'deploy a commit of the deployed branch to roots, by the rules of a re-run',
  details: [
    'With --wait, it says meanwhile what the deployments wait for, and where to review their plans. Exit code 6: one of them was not applied.',
  ],
  isRemote: true,
  arguments: [{ name: 'OWNER/NAME' }, { name: 'COMMIT' }, { name: 'ROOT', isRepeated: true }],
  options: [WAIT, TIMEOUT],
  examples: [
    { command: 'nereid deploy acme/infra $(git rev-parse origin/main) network dns', does: 'to two roots' },
    {
      command: 'nereid deploy acme/infra "$SHA" network --wait --timeout 1h',
      does: 'in a script: its exit code tells',
    },
  ],
  async run(call) {
    const repository = call.given.argument('OWNER/NAME');
    parseRepository(repository);
    const roots = [...call.given.all('ROOT')];
    const body = { repository, revision: parseSha(call.given.argument('COMMIT')), roots };
    const client = call.client();
    const untilEnd = call.within(undefined, WAITS_NO_MORE);
    const answer = await client.act('deployRevision', { body }, call.within(ANSWER_MS, GOES_ON));
    showAnswer(call, answer);
    if (!call.given.has('wait')) return EXIT.done;
    const ended = await waitForOrdered({ call, client, signal: untilEnd }, repository, answer.value);
    // A root that a broken record stops has no deployment; the sentence says so.
    return (answer.value.deployments ?? []).length < roots.length ? EXIT.failed : ended;
  },
};

export const WAITS_NO_MORE = 'the deployment goes on, and nereid logs -f follows it';

export interface Waiting {
  readonly call: Call;
  readonly client: Client;
  readonly signal: AbortSignal;
}

/** Follows what the request has ordered. */
export function waitForOrdered(
  { call, client, signal }: Waiting,
  repository: string,
  { deployments = [] }: RequestAnswer,
): Promise<ExitCode> {
  if (deployments.length === 0)
    throw new ExitError(
      EXIT.notNow,
      'the answer names no deployment to wait for: use the nereid of the console’s release',
    );
  const awaited = deployments.map(({ id, rootName }) => ({ id, lane: `${repository}/${rootName}` }));
  return waitForEnds(call, client, awaited, signal);
}
