/**
 * The end that a terraform workflow returned, and told nobody. It counts once control has verified it: until then, its deployment
 * runs, and nothing else starts. If it cannot be shown or stored at once, the lane shows or stores it like any other end of its own.
 */
import { defined } from '../../../defined.ts';
import { isOutcomeOfHost, withUnknownOutcome } from '../../../deployment/rules/unsigned.ts';
import { isJobAuditEvent } from '../../../trail/audit-event.ts';
import { auditEventOfEnd } from '../../../trail/job-audit.ts';
import type { ReturnedEnd, Settled } from '../../activities.ts';
import { inOrder } from '../queue/queue.ts';
import { AT_ONCE, later, type LaneActor, type Stage } from './actor.ts';
import { FORGE_WITHIN_MS } from './durations.ts';
import type { EffectOf } from './effects.ts';
import { beginStoring, deploymentRecord, handleSettled, handleStored, recordToStore, withoutEnded } from './keeping.ts';
import type { LaneRecord } from '../../record.ts';
import type { Shown } from '../../../deployment/presentation.ts';
import { SHOWN_FIRST_MS } from '../../../deployment/rules/durations.ts';
import { isTaken } from '../../../deployment/rules/taken.ts';
import { endAs, isoOf } from './running.ts';
import { urgentOf } from './showing/differences.ts';
import { beginShowing, handleShownBeside } from './showing/showing.ts';

type EndStage = Extract<Stage, { readonly kind: 'end' }>;

/** Shows and stores the end; undefined when none is due. `now` is in epoch milliseconds. */
export function returnedOf(actor: LaneActor, now: number): EffectOf<'end'> | undefined {
  const { stage, state, repository } = actor;
  if (stage.kind !== 'end' || stage.dueAt > now || state.running === undefined) return undefined;
  const { id: deploymentId } = state.running;
  const over = endAs(actor, deploymentId, stage.result, stage.at);
  const records = over.state.ended
    .filter(({ id }) => id === deploymentId)
    .map((one) => deploymentRecord(repository, one));
  const withinMs = inOrder(state.queue).length > 0 ? FORGE_WITHIN_MS : SHOWN_FIRST_MS;
  const returned = { ...defined({ show: urgentOf(over, deploymentId) }), withinMs };
  const audits = stage.result.untold ?? [];
  return { kind: 'end', deploymentId, settlement: { ...recordToStore(over), ended: records, audits, returned } };
}

export function beginEnding(actor: LaneActor, { settlement, kind }: EffectOf<'end'>, now: number): LaneActor {
  const { show } = settlement.returned ?? {};
  const storing = { ...beginStoring(actor), work: kind };
  return show === undefined ? storing : beginShowing(storing, { presentations: [show] }, now);
}

export function handleEnded(
  actor: LaneActor,
  { deploymentId, settlement }: EffectOf<'end'>,
  settled: Settled,
  now: number,
): LaneActor {
  const { stage } = actor;
  if (stage.kind !== 'end') return actor;
  const { show } = settlement.returned ?? {};
  const { showing } = actor;
  // Nothing else writes this check run.
  const free = show === undefined ? actor : { ...actor, showing: { ...showing, sending: undefined } };
  if (settled.kind === 'forged') return endForged(free, deploymentId, stage, now);
  const shown = handleShownBeside(endAs(free, deploymentId, stage.result, stage.at), show, settled.shown, now);
  if (settled.kind === 'unsettled') return dirty(shown);
  return handleStored(
    handleSettled(shown, settlement),
    recordWith(settlement.record, deploymentId, settled),
    settled,
    now,
  );
}

/** The record that is stored with an end. It has the end until the forge shows it: another run of the lane shows it, too. */
export function recordWith(
  record: LaneRecord,
  deploymentId: string,
  { shown }: { readonly shown?: Shown | undefined },
): LaneRecord {
  return isTaken(shown) ? withoutEnded(record, deploymentId) : record;
}

/** It is not verified yet: the lane asks again. */
export function failEnding(actor: LaneActor, { settlement }: EffectOf<'end'>, now: number): LaneActor {
  const { stage, durations } = actor;
  const free = handleShownBeside(actor, settlement.returned?.show, undefined, now);
  return stage.kind === 'end' ? dirty({ ...free, stage: { ...stage, ...later(stage, durations, now) } }) : free;
}

/**
 * An outcome of a host that no host signed is unknown. Any other end that control does not believe is not stored: it may be that of a
 * deployment that nobody ordered.
 */
function endForged(actor: LaneActor, deploymentId: string, { result, at }: EndStage, now: number): LaneActor {
  const { untold = [], ...ended } = result;
  if (!isOutcomeOfHost(result.progress)) return dirty(endAs(actor, deploymentId, ended, at));
  const unsigned = { ...ended, progress: withUnknownOutcome(result.progress, isoOf(now)) };
  const others = untold.filter((event) => !isJobAuditEvent(event) || event.jobId !== result.progress.jobs.apply?.id);
  const unknown = auditOfEnd(actor, unsigned);
  const anew = { ...unsigned, untold: [...others, ...(unknown ? [unknown] : [])] };
  return dirty({ ...actor, stage: { kind: 'end', result: anew, at: now, ...AT_ONCE } });
}

function auditOfEnd({ repository, state: { running } }: LaneActor, { progress }: Pick<ReturnedEnd, 'progress'>) {
  return running && auditEventOfEnd(repository, { ...running, progress });
}

/** What was on its way to storage may not have come there. */
function dirty(actor: LaneActor): LaneActor {
  return { ...actor, record: { ...actor.record, isDirty: true } };
}
