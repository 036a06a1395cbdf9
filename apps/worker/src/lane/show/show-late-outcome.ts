/** Shows the late outcome of an apply, which had been given up as unknown, on the deployment's check run. */
import { policyFor } from '@nereid/config';
import type { LateOutcome } from '@nereid/domain/deployment';
import { DEFAULT_POOL, fullName, poolOf } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import type { WorkerContext } from '../../platform/context.ts';
import { rewriteEnded } from './write-ended.ts';

/**
 * Only informs: the lane stays locked, because only people know what they did meanwhile. Returns a sentence that says what was
 * shown, or why nothing was.
 */
export async function showLateOutcome(context: WorkerContext, outcome: Signed<LateOutcome>): Promise<string> {
  // The pool that it says it is of, until the record says of which it has to be.
  const { pool = DEFAULT_POOL } = (outcome as Partial<typeof outcome>).body ?? {};
  const { body } = await context.signatures.open('result/late-outcome', outcome, { pool });
  const { repository, rootName, deploymentId, sentence } = body;
  if (!policyFor(context.server.current(), fullName(repository))) return `${fullName(repository)} is not allowed`;
  const deployment = (await context.deploymentRecords.find(repository, rootName, deploymentId))?.deployment;
  if (deployment === undefined) return `there is no record of deployment ${deploymentId}`;
  const { root } = deployment;
  if (poolOf(root) !== pool)
    throw context.signatures.forged(
      'result/late-outcome',
      `one by the pool ${pool} for one of ${poolOf(root)}`,
      deploymentId,
    );
  // What the forge refuses counts as shown: otherwise the host would report it for ever.
  return (await rewriteEnded(context, { repository, deployment, notice: sentence })) ?? sentence;
}
