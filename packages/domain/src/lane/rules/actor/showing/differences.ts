/**
 * Finds the check runs that differ from the forge, and when to write them: only differences, the newest state wins, in batches. A
 * check run has one writer at a time: the lane while its deployment waits and after it has ended, the terraform workflow in
 * between.
 */
import { defined } from '../../../../defined.ts';
import { OWN_NOTICES } from '../../../../deployment/notice.ts';
import type { Presentation } from '../../../../deployment/presentation.ts';
import { appearance, presentations, urgencyOf, type Urgency } from '../../check-runs/presentations.ts';
import { goesBeforeTurn, retryAtOf } from '../../check-runs/patience.ts';
import { firstWithin } from '../../../../bytes.ts';
import type { LaneActor } from '../actor.ts';
import { isHandedOver } from './reported.ts';

/** For one activity: a second's work, at 200 ms a request and 10 requests at a time. */
const BATCH = 50;

/** Half of Temporal's limit for the input of an activity. */
const BATCH_BYTES = 1_000_000;

interface Difference {
  readonly presentation: Presentation;
  readonly urgency: Urgency;
  /** When it is retried, in epoch milliseconds. Present when the forge did not take it the last time. */
  readonly retryAt?: number;
}

/** Returns the presentations that the forge does not show yet and that are the lane's to write. */
export function differences(actor: LaneActor): readonly Difference[] {
  const { reported, patience } = actor.showing;
  return wanted(actor).flatMap((presentation) => {
    const { id } = presentation.deployment;
    const known = reported[id];
    const looks = appearance(presentation);
    if (known?.digest === looks || isToldOnce(actor, id)) return [];
    const uncertain = known?.creationUncertain === true;
    const urgency = urgencyOf(presentation, known?.digest);
    const retryAt = goesBeforeTurn(patience, presentation, looks) ? undefined : retryAtOf(patience, id);
    return {
      presentation: uncertain ? { ...presentation, creationUncertain: true } : presentation,
      urgency,
      ...defined({ retryAt }),
    };
  });
}

/** Before the lane knows its record, it shows something only when the record cannot be read. */
function wanted(actor: LaneActor): readonly Presentation[] {
  const { reading, state } = actor;
  if (reading !== undefined && reading.why === undefined) return [];
  const blocked = reading === undefined ? undefined : `${OWN_NOTICES.recordUnreadable}: ${reading.why ?? ''}`;
  return presentations(state, blocked).filter((presentation) => isOurs(actor, presentation));
}

/** While the lane looks for a terraform workflow, nobody knows whether the check run is the lane's to write. */
function isOurs(actor: LaneActor, { deployment: { id } }: Presentation): boolean {
  const isLookedFor = actor.stage.kind === 'find' && id === actor.state.running?.id;
  return !isHandedOver(actor, id) && !isLookedFor;
}

/** Until a lane knows its record, it cannot begin a new history, so it writes each check run only once. */
function isToldOnce({ reading, showing }: LaneActor, id: string): boolean {
  const isTried = showing.reported[id]?.digest !== undefined || retryAtOf(showing.patience, id) !== undefined;
  return reading !== undefined && isTried;
}

/** The changes of this deployment to show at once; undefined while other check runs are written. */
export function urgentOf(actor: LaneActor, deploymentId: string): Presentation | undefined {
  if (actor.showing.sending !== undefined) return undefined;
  const one = differences(actor).find(({ presentation }) => presentation.deployment.id === deploymentId);
  return one?.urgency === 'now' && one.retryAt === undefined ? one.presentation : undefined;
}

/** The next batch; empty when nothing is due. */
export function dueBatch(actor: LaneActor, all: readonly Difference[], now: number): readonly Presentation[] {
  const { showing, isCancelled } = actor;
  if (!isAnyDue(actor, all, now)) return [];
  // Somebody waits for a cancelled lane to end.
  const arePositionsDue = isCancelled || now >= showing.positionsDueAt;
  const urgencies: readonly Urgency[] = arePositionsDue ? ['now', 'soon', 'sometime'] : ['now', 'soon'];
  const untried = urgencies.flatMap((urgency) =>
    all.filter((one) => one.retryAt === undefined && one.urgency === urgency),
  );
  const retries = all.filter(({ retryAt = Infinity }) => retryAt <= now);
  const batch = [...untried, ...retries].slice(0, BATCH).map(({ presentation }) => presentation);
  return firstWithin(batch, BATCH_BYTES);
}

function isAnyDue(actor: LaneActor, all: readonly Difference[], now: number): boolean {
  return all.some((one) => dueAtOf(actor, one) <= now);
}

/** When the next batch is due, in epoch milliseconds; infinite when nothing differs. */
export function nextBatchAt(actor: LaneActor, all: readonly Difference[]): number {
  return all.reduce((earliest, one) => Math.min(earliest, dueAtOf(actor, one)), Infinity);
}

function dueAtOf({ showing, durations, isCancelled }: LaneActor, { retryAt, urgency }: Difference): number {
  if (retryAt !== undefined) return retryAt;
  if (urgency === 'now' || isCancelled) return 0;
  if (urgency === 'sometime') return showing.positionsDueAt;
  return (showing.differsSince ?? 0) + durations.quietMs;
}

/** Remembers since when there has been a difference that is shown only if it lasts. */
export function noteDifferences(actor: LaneActor, now: number): LaneActor {
  const isAny = differences(actor).some(({ urgency, retryAt }) => urgency === 'soon' && retryAt === undefined);
  const differsSince = isAny ? (actor.showing.differsSince ?? now) : undefined;
  return differsSince === actor.showing.differsSince
    ? actor
    : { ...actor, showing: { ...actor.showing, differsSince } };
}
