import type { RequestAnswer } from '@nereid/api';
import type { Call } from '../../call.ts';
import type { Client } from '../../client/client.ts';
import { EXIT, ExitError, type ExitCode } from '../../exit-code.ts';
import { waitForEnds } from '../../wait/wait-for-ends.ts';

export interface Waiting {
  readonly call: Call;
  readonly client: Client;
  readonly signal: AbortSignal;
}

/** Follows what the request has ordered; `expected` is the number of deployments that were asked for. */
export async function waitForOrdered(
  { call, client, signal }: Waiting,
  repository: string,
  { deployments = [] }: RequestAnswer,
  expected: number,
): Promise<ExitCode> {
  if (deployments.length === 0)
    throw new ExitError(
      EXIT.notNow,
      'the answer names no deployment to wait for: use the nereid of the console’s release',
    );
  const awaited = deployments.map(({ id, rootName }) => ({ id, lane: `${repository}/${rootName}` }));
  const ended = await waitForEnds(call, client, awaited, signal);
  // A root that a broken record stops has no deployment; the sentence says so.
  return deployments.length < expected ? EXIT.failed : ended;
}
