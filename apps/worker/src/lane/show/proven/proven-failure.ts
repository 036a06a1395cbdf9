/** Why a plan or an apply failed comes through Temporal. Only what its host signed is shown and stored. */
import type { Deployment, Progress } from '@nereid/domain/deployment';
import type { HostFailure, SaidFailure } from '@nereid/domain/host';
import { poolOf } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import type { WordsContext } from './proven-people.ts';

/** Stands where a host that signs nothing, or somebody else, has said more. */
export const UNSIGNED_FAILURE: SaidFailure = {
  body: { summary: 'It failed, and no host of this installation signed why: look at the log', lines: [] },
};

export async function withProvenFailure(context: WordsContext, deployment: Deployment): Promise<Deployment> {
  const { id, order = '', progress, root } = deployment;
  const { failure } = progress;
  if (failure === undefined || saysNothingMore(progress, failure)) return deployment;
  const about = { pool: poolOf(root), deploymentId: id, order };
  // One that nobody signed does not open.
  const signed = { signature: '', ...failure } as Signed<HostFailure>;
  if ((await context.signatures.openIfGenuine('result/failure', signed, about)) !== undefined) return deployment;
  return { ...deployment, progress: { ...progress, failure: withoutWords(progress, failure) } };
}

/** The end of an apply is verified, and with it the summary of its failure. */
function withoutWords({ status }: Progress, { body: { summary } }: SaidFailure): SaidFailure {
  return status === 'apply-failed' ? { body: { ...UNSIGNED_FAILURE.body, summary } } : UNSIGNED_FAILURE;
}

/** A workflow that gives up repeats its reason. What was left out before stays so. */
function saysNothingMore({ status, reason }: Progress, { body: { summary, lines, stateLock } }: SaidFailure): boolean {
  if (lines.length > 0 || stateLock !== undefined) return false;
  return status === 'apply-failed' || summary === UNSIGNED_FAILURE.body.summary || reason?.startsWith(summary) === true;
}
