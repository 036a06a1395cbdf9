/**
 * Writes what deployments should look like to GitHub: each on its own, so that one that fails holds up no other. All is
 * answered before the attempt's time is over: an answer that comes later would be lost, and with it what was written.
 */
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { fullName, type Presentation, type Repository, type Shown, type Taken } from '@nereid/contracts';
import {
  GitHubRefusedError,
  GitHubUnavailableError,
  renderCheckRun,
  renderSuperseded,
  type BackgroundOptions,
} from '@nereid/github';
import type { WorkerContext } from '../../context.ts';
import { checkRunLinks } from './check-run-links.ts';

/** How long GitHub may still be at a request that we gave up: it gives up itself after ten seconds. */
const SETTLED_AFTER_MS = 12_000;

/** Nothing is begun in the second half of the time: what was begun, twelve seconds at most, ends within a minute's. */
const BEGUN_WITHIN = 0.5;
const GIVEN_UP_AFTER = 0.75;

export interface Attempt {
  readonly startToCloseMs: number;
  /** Ends what nobody waits for any more: it would write over what is newer. */
  readonly signal: AbortSignal;
}

export async function showCheckRuns(
  context: WorkerContext,
  repository: Repository,
  presentations: readonly Presentation[],
  attempt: Attempt,
): Promise<readonly Shown[]> {
  const time = {
    begin: AbortSignal.any([attempt.signal, AbortSignal.timeout(attempt.startToCloseMs * BEGUN_WITHIN)]),
    signal: AbortSignal.any([attempt.signal, AbortSignal.timeout(attempt.startToCloseMs * GIVEN_UP_AFTER)]),
  };
  const results = await Promise.all(
    presentations.map((presentation) => showOne(context, repository, presentation, time)),
  );
  logUnwritten(context, repository, results);
  return results;
}

/** The same for one, which is tried again by Temporal: throws what GitHub did not take. */
export async function showCheckRun(
  context: WorkerContext,
  repository: Repository,
  presentation: Presentation,
  attempt: Attempt & { readonly number: number },
): Promise<Taken> {
  // What an earlier attempt began may have happened.
  const isUncertain = presentation.creationUncertain === true || attempt.number > 1;
  const [shown] = await showCheckRuns(
    context,
    repository,
    [{ ...presentation, creationUncertain: isUncertain }],
    attempt,
  );
  if (isTaken(shown)) return shown;
  throw ApplicationFailure.create({
    message: shown !== undefined && 'why' in shown ? shown.why : 'an older check run still has its buttons',
    type: 'NOT_SHOWN',
    category: ApplicationFailureCategory.BENIGN,
    ...(shown !== undefined && 'retryAfterMs' in shown && { nextRetryDelay: shown.retryAfterMs }),
  });
}

/** Nothing is to be tried again: no older check run still has its buttons. */
export function isTaken(shown: Shown | undefined): shown is Taken {
  if (shown?.kind !== 'shown') return shown?.kind === 'refused';
  return shown.checkRuns.slice(0, -1).every(({ superseded = false }) => superseded);
}

async function showOne(
  context: WorkerContext,
  repository: Repository,
  presentation: Presentation,
  time: Required<BackgroundOptions>,
): Promise<Shown> {
  const { deployment, creationUncertain = false } = presentation;
  const deploymentId = deployment.id;
  try {
    const links = checkRunLinks(context, repository, deployment);
    const content = renderCheckRun(presentation, links);
    const superseded = renderSuperseded(deployment, links);
    const checkRuns = await context.checkRunWrites.inTurn(deployment, creationUncertain, (known, creationUncertain) =>
      context.github.checkRuns.present(repository, known, content, { superseded, creationUncertain, ...time }),
    );
    return { deploymentId, kind: 'shown', checkRuns };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (isRefusal(error)) {
      const fields = { err: error, deployment: deploymentId, repository: fullName(repository) };
      context.logger.error(fields, 'GitHub refuses a check run: it stays as it is');
      return { deploymentId, kind: 'refused', why };
    }
    if (error instanceof GitHubUnavailableError && error.retryAfterMs !== undefined) {
      return { deploymentId, kind: 'limited', why, retryAfterMs: error.retryAfterMs };
    }
    return { deploymentId, kind: 'failed', why, ...(time.signal.aborted && { retryAfterMs: SETTLED_AFTER_MS }) };
  }
}

/** 401 is about us, not about the check run: it passes when the key or the clock is right again. */
function isRefusal(error: unknown): boolean {
  return error instanceof GitHubRefusedError && error.status !== 401;
}

/** Of a GitHub that is away one line tells as much as fifty. */
function logUnwritten({ logger }: WorkerContext, repository: Repository, results: readonly Shown[]): void {
  const unwritten = results.flatMap((one) => (one.kind === 'failed' || one.kind === 'limited' ? [one] : []));
  const [first] = unwritten;
  if (first === undefined) return;
  const { kind, why, deploymentId: deployment } = first;
  const fields = { repository: fullName(repository), count: unwritten.length, kind, why, deployment };
  logger.warn(fields, 'check runs could not be written: they are tried again');
}
