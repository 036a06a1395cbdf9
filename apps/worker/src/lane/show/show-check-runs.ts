/**
 * Writes the check runs of deployments, each on its own, so that a failure does not hold up the others. All results are
 * returned before the attempt's time is over: a later result would be lost, and with it the numbers of the new check runs.
 */
import { windowAhead } from '@nereid/config';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { defined } from '@nereid/domain/defined';
import {
  isTaken,
  type CheckRunRef,
  type Deployment,
  type Presentation,
  type Shown,
  type Taken,
} from '@nereid/domain/deployment';
import { FORGE_WITHIN_MS } from '@nereid/domain/lane';
import { poolOf, fullName, type Repository } from '@nereid/domain/root';
import { ForgeUnavailableError, isRefused, type BackgroundOptions, type CheckRunContent } from '@nereid/forge';
import { renderCheckRun, renderSuperseded } from '@nereid/texts';
import type { WorkerContext } from '../../platform/context.ts';
import { checkRunLinks, type LinksOf } from './check-run-links.ts';
import { findRevert } from './find-revert.ts';
import type { KnownCheckRuns } from '../../platform/memory/check-run-writes.ts';
import { stateEvents } from '../state-events.ts';
import { ownRefs } from './own-refs.ts';
import { planTextsOf, type PlanTextOf } from './plan-text.ts';

/** How long a forge may still be at a request that we gave up: GitHub gives up after ten seconds. */
const SETTLED_AFTER_MS = 12_000;

/** No write begins in the second half: a write takes twelve seconds at most, and so ends within an attempt of a minute. */
const BEGUN_WITHIN = 0.5;
const GIVEN_UP_AFTER = 0.75;

export interface Attempt {
  readonly startToCloseMs: number;
  /** Ends writes that nobody waits for any more, because they would overwrite newer ones. */
  readonly signal: AbortSignal;
  /** While the forge limits its writes, one whose turn comes later than this is not waited for. In milliseconds. */
  readonly patienceMs?: number;
  /** Beginning with 1. From the second on, an earlier one may have created the check runs. */
  readonly number?: number;
}

export type NumberedAttempt = Attempt & Required<Pick<Attempt, 'number'>>;

/** Ends every write by then, and waits for no turn: somebody waits for what comes after it. */
export function within(ms: number, signal: AbortSignal): Attempt {
  return { startToCloseMs: ms / GIVEN_UP_AFTER, signal, patienceMs: FORGE_WITHIN_MS };
}

export async function showCheckRuns(
  context: WorkerContext,
  repository: Repository,
  presentations: readonly Presentation[],
  attempt: Attempt,
): Promise<readonly Shown[]> {
  // First of all: a forge that does not answer is no reason not to know.
  await context.publish(...stateEvents(repository, presentations));
  const after = (share: number) =>
    AbortSignal.any([attempt.signal, AbortSignal.timeout(Math.floor(attempt.startToCloseMs * share))]);
  const { patienceMs, number = 1 } = attempt;
  const time = { begin: after(BEGUN_WITHIN), signal: after(GIVEN_UP_AFTER), ...defined({ patienceMs }) };
  const linksOf = await checkRunLinks(context, repository);
  const planTextOf = planTextsOf(context, repository);
  const results = await Promise.all(
    presentations.map((presentation) =>
      showOne({ context, repository, linksOf, planTextOf, isRetry: number > 1 }, presentation, time),
    ),
  );
  logUnwritten(context, repository, results);
  return results;
}

/** The same for one check run. Throws when the forge does not take it, so that Temporal tries again. */
export async function showCheckRun(
  context: WorkerContext,
  repository: Repository,
  presentation: Presentation,
  attempt: NumberedAttempt,
): Promise<Taken> {
  const [shown] = await showCheckRuns(context, repository, [presentation], attempt);
  if (isTaken(shown)) return shown;
  throw ApplicationFailure.create({
    message: shown !== undefined && 'why' in shown ? shown.why : 'an older check run still has its buttons',
    type: 'NOT_SHOWN',
    category: ApplicationFailureCategory.BENIGN,
    ...(shown !== undefined && 'retryAfterMs' in shown && { nextRetryDelay: shown.retryAfterMs }),
  });
}

type Time = BackgroundOptions & { readonly signal: AbortSignal };

interface Writing {
  readonly context: WorkerContext;
  readonly repository: Repository;
  readonly linksOf: LinksOf;
  readonly planTextOf: PlanTextOf;
  readonly isRetry: boolean;
}

async function showOne(
  { context, repository, linksOf, planTextOf, isRetry }: Writing,
  presentation: Presentation,
  time: Time,
): Promise<Shown> {
  const { deployment } = presentation;
  const deploymentId = deployment.id;
  if (deployment.preview?.isOnlyInTable === true) return { deploymentId, kind: 'shown', checkRuns: [] };
  try {
    const links = linksOf(deployment);
    const superseded = renderSuperseded(deployment, links);
    const write = async (known: KnownCheckRuns, creationUncertain: boolean) => {
      const planText = await planTextOf(deployment.progress, poolOf(deployment.root));
      const closing = windowAhead(context.server.current(), fullName(repository), deployment, Date.now());
      const revert = await findRevert(context, repository, deployment, linksOf);
      const content = renderCheckRun(presentation, links, { planText, closing, revert });
      if (isShownByRollout(presentation, content)) return known.refs;
      return present(context, repository, { deployment, known, content, superseded, creationUncertain, time });
    };
    const checkRuns = await context.checkRunWrites.inTurn(
      deployment,
      presentation.creationUncertain === true || isRetry,
      write,
    );
    return { deploymentId, kind: 'shown', checkRuns };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (isRefused(error)) {
      const fields = { err: error, deployment: deploymentId, repository: fullName(repository) };
      context.logger.error(fields, 'the forge refuses a check run: it stays as it is');
      return { deploymentId, kind: 'refused', why };
    }
    if (error instanceof ForgeUnavailableError && error.retryAfterMs !== undefined) {
      return { deploymentId, kind: 'limited', why, retryAfterMs: error.retryAfterMs };
    }
    if (error instanceof ForgeUnavailableError && error.isUnsent)
      return { deploymentId, kind: 'failed', why, isUnsent: true };
    return { deploymentId, kind: 'failed', why, ...(time.signal.aborted && { retryAfterMs: SETTLED_AFTER_MS }) };
  }
}

/**
 * In a merge of many roots, a check run of a single one is written once a person is needed, or it has ended: only then is one
 * completed. Until then, `nereid/rollout` has it.
 */
function isShownByRollout({ deployment, notice }: Presentation, { status }: CheckRunContent): boolean {
  return deployment.together?.isLarge === true && status !== 'completed' && notice === undefined;
}

interface Presenting {
  readonly deployment: Deployment;
  readonly known: KnownCheckRuns;
  readonly content: CheckRunContent;
  readonly superseded: CheckRunContent;
  readonly creationUncertain: boolean;
  readonly time: Time;
}

/** Previews leave the turns to deployments. */
async function present(
  context: WorkerContext,
  repository: Repository,
  { deployment, known, content, time, ...options }: Presenting,
): Promise<readonly CheckRunRef[]> {
  const refs = known.areOurs ? known.refs : await ownRefs(context, repository, known.refs, content);
  const turn = deployment.trigger === 'preview' ? ({ priority: 'preview' } as const) : {};
  return context.forge.status.present(repository, refs, content, { ...options, ...time, ...turn });
}

/** When the forge is away, one line says as much as fifty. */
function logUnwritten({ logger }: WorkerContext, repository: Repository, results: readonly Shown[]): void {
  const unwritten = results.flatMap((one) => (one.kind === 'failed' || one.kind === 'limited' ? [one] : []));
  const [first] = unwritten;
  if (first === undefined) return;
  const { kind, why, deploymentId: deployment } = first;
  const fields = { repository: fullName(repository), count: unwritten.length, kind, why, deployment };
  logger.warn(fields, 'check runs could not be written: they are tried again');
}
