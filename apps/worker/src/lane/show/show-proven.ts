/** Shows what lanes ask for, as far as it is proven. Deployments that nobody ordered are refused. */
import type { Presentation, Shown } from '@nereid/domain/deployment';
import { FORGE_WITHIN_MS } from '@nereid/domain/lane';
import type { Repository } from '@nereid/domain/root';
import type { WorkerContext } from '../../platform/context.ts';
import { onlyOrdered, refusedToShow } from '../verify-orders.ts';
import { withProvenWords } from './proven/proven-words.ts';
import { withoutForgedPlan } from './proven/without-forged-plan.ts';
import { showCheckRuns, within, type Attempt } from './show-check-runs.ts';

export async function showProven(
  context: WorkerContext,
  repository: Repository,
  presentations: readonly Presentation[],
  attempt: Attempt,
): Promise<readonly Shown[]> {
  const said = await Promise.all(presentations.map((one) => withoutForgedPlan(context, one)));
  const ordered = await onlyOrdered(context, repository, said);
  const proven = await Promise.all(ordered.map((one) => withProvenWords(context, repository, one)));
  const forged = said.filter((one) => !ordered.includes(one)).map(refusedToShow);
  const shown = ordered.length === 0 ? [] : await showCheckRuns(context, repository, proven, attempt);
  return [...shown, ...forged];
}

/** The first check run of a deployment; undefined when nobody knows whether it was shown. */
export async function showFirst(
  context: WorkerContext,
  repository: Repository,
  presentation: Presentation,
  signal: AbortSignal,
): Promise<Shown | undefined> {
  try {
    const [shown] = await showProven(context, repository, [presentation], within(FORGE_WITHIN_MS, signal));
    return shown;
  } catch (error) {
    context.logger.warn(
      { err: error, deployment: presentation.deployment.id },
      'a first check run is left to the lane',
    );
    return undefined;
  }
}
