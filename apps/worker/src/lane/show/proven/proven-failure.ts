/** Why a plan or an apply failed comes through Temporal. Only what its host signed is shown and stored. */
import { failureFacts, type Deployment, type Failure, type Progress } from '@nereid/contracts';
import { verifies, type WordsContext } from './verifies.ts';

/** Stands where a host that signs nothing, or somebody else, has said more. */
export const UNSIGNED_FAILURE: Failure = {
  summary: 'It failed, and no host of this installation signed why: look at the log',
  lines: [],
};

export async function withProvenFailure(context: WordsContext, deployment: Deployment): Promise<Deployment> {
  const { id, order, progress } = deployment;
  const { failure } = progress;
  if (failure === undefined || saysNothingMore(progress, failure)) return deployment;
  if (await verifies(context, 'failure', failureFacts(id, order, failure), failure.signature)) return deployment;
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
