/** Why a plan or an apply failed comes through Temporal. Only what its host signed is shown and stored. */
import type { Deployment, Progress } from '@nereid/domain/deployment';
import { failureFacts, type Failure } from '@nereid/domain/host';
import { poolOf } from '@nereid/domain/root';
import { verifiesOfPool, type WordsContext } from './verifies.ts';

/** Stands where a host that signs nothing, or somebody else, has said more. */
export const UNSIGNED_FAILURE: Failure = {
  summary: 'It failed, and no host of this installation signed why: look at the log',
  lines: [],
};

export async function withProvenFailure(context: WordsContext, deployment: Deployment): Promise<Deployment> {
  const { id, order, progress, root } = deployment;
  const { failure } = progress;
  if (failure === undefined || saysNothingMore(progress, failure)) return deployment;
  const signed = { facts: failureFacts(id, order, failure), signature: failure.signature };
  if (await verifiesOfPool(context, poolOf(root), 'failure', signed)) return deployment;
  return { ...deployment, progress: { ...progress, failure: withoutWords(progress, failure) } };
}

/** The end of an apply is verified, and with it the summary of its failure. */
function withoutWords({ status }: Progress, { summary }: Failure): Failure {
  return status === 'apply-failed' ? { ...UNSIGNED_FAILURE, summary } : UNSIGNED_FAILURE;
}

/** A workflow that gives up repeats its reason. What was left out before stays so. */
function saysNothingMore({ status, reason }: Progress, { summary, lines, stateLock }: Failure): boolean {
  if (lines.length > 0 || stateLock !== undefined) return false;
  return status === 'apply-failed' || summary === UNSIGNED_FAILURE.summary || reason?.startsWith(summary) === true;
}
