/** The known state of check runs: their content, their writer, and their uncertainties. */
import type { CheckRunRef, Reported } from '../../../../deployment/check-run.ts';
import type { Deployment } from '../../../../deployment/model.ts';
import { hasEnded } from '../../../../deployment/status.ts';
import { withoutUnknown } from '../../check-runs/patience.ts';
import { appearance } from '../../check-runs/presentations.ts';
import { inOrder } from '../../queue/queue.ts';
import { deploymentsOf, find, isRunning } from '../../state/lane-state.ts';
import type { LaneActor } from '../actor.ts';

/**
 * The running deployment, as its terraform workflow takes over its check runs. If a check run is still being created, the
 * workflow assumes that it exists. If the creation fails, the workflow is told, unless the lane is terminated before that. Any
 * other write that is under way may arrive after the workflow's first write, so the workflow writes to a new check run.
 */
export function handOver(
  actor: LaneActor,
  deployment: Deployment,
): { readonly deployment: Deployment; readonly reported: Reported } {
  const { isHandedOver: _lane, ...reported } = actor.showing.reported[deployment.id] ?? {};
  const sent = actor.showing.sending?.find((one) => one.deployment.id === deployment.id);
  if (sent === undefined) return { deployment, reported };
  if (deployment.checkRuns.length === 0) return { deployment, reported: { ...reported, digest: appearance(sent) } };
  const { digest: _outdated, ...uncertain } = reported;
  const checkRuns = deployment.checkRuns.map((ref) => ({ ...ref, completed: true }));
  return { deployment: { ...deployment, checkRuns }, reported: uncertain };
}

/** Whether the terraform workflow writes the check run of this deployment, as far as the lane knows. */
export function isHandedOver({ showing }: LaneActor, deploymentId: string): boolean {
  return showing.reported[deploymentId]?.isHandedOver === true;
}

/** Whether a write of this deployment's check run is under way. */
export function isSending({ showing }: LaneActor, deploymentId: string): boolean {
  return showing.sending?.some(({ deployment }) => deployment.id === deploymentId) === true;
}

/** Another writer wrote the check run meanwhile: nobody knows which write the forge took last. */
export function overtakeSending(actor: LaneActor, deploymentId: string): LaneActor {
  if (!isSending(actor, deploymentId)) return actor;
  const sending = actor.showing.sending?.filter(({ deployment }) => deployment.id !== deploymentId);
  return { ...actor, showing: { ...actor.showing, sending } };
}

/** The lane shows the ended deployment and keeps its record, because its terraform workflow does neither any more. */
export function reclaimEnded(actor: LaneActor, deploymentId: string): LaneActor {
  if (!actor.state.ended.some(({ id }) => id === deploymentId)) return actor;
  return isHandedOver(actor, deploymentId) ? forgetShown(actor, deploymentId) : actor;
}

/** Nobody knows the content of the check run, and it is the lane's to write. */
export function forgetShown(actor: LaneActor, deploymentId: string): LaneActor {
  return report(actor, deploymentId, { creationUncertain: true }, 'anew');
}

/** People who wait further back see those that go before them. */
const SHOWN_AGAIN = 50;

/** Has the check runs of the running and the waiting deployments written again. */
export function showWaiting(actor: LaneActor): LaneActor {
  const { running, queue } = actor.state;
  const all = [...(running ? [running] : []), ...inOrder(queue)].slice(0, SHOWN_AGAIN);
  return all.reduce((asked, { id }) => (isHandedOver(asked, id) ? askWriter : forgetContent)(asked, id), actor);
}

function forgetContent(actor: LaneActor, deploymentId: string): LaneActor {
  const { digest: _content, ...known } = actor.showing.reported[deploymentId] ?? {};
  return report(actor, deploymentId, known, 'anew');
}

/** Whether the terraform workflow is a child of this run, which hears when it closes, with its end. */
export function hearsClose({ stage, state }: LaneActor, deploymentId: string): boolean {
  const isChild = stage.kind === 'starting' || (stage.kind === 'following' && stage.reportsClose);
  return isChild && isRunning(state, deploymentId);
}

/** Asks the terraform workflow to write the check run once more; if it is gone, the lane does so. */
export function askWriter(actor: LaneActor, deploymentId: string): LaneActor {
  const unlocked = find(actor.state, deploymentId)?.unlocked;
  const more = { ...(unlocked && { unlocked }), ...(!hearsClose(actor, deploymentId) && { tellsEnd: true }) };
  const passOn = { kind: 'show-again', deploymentId, ...more } as const;
  const others = actor.passOns.filter((one) => one.kind !== 'show-again' || one.deploymentId !== deploymentId);
  return { ...actor, passOns: [...others, passOn] };
}

/** Changes the known state of a check run. With `anew`, the state that was known before is dropped. */
export function report(
  actor: LaneActor,
  deploymentId: string,
  changes: Omit<Reported, 'isHandedOver'> & { readonly isHandedOver?: boolean },
  how: 'too' | 'anew' = 'too',
): LaneActor {
  const { reported } = actor.showing;
  const { isHandedOver, ...others } = { ...(how === 'too' ? reported[deploymentId] : {}), ...changes };
  const next: Reported = { ...others, ...(isHandedOver === true && { isHandedOver }) };
  return { ...actor, showing: { ...actor.showing, reported: { ...reported, [deploymentId]: next } } };
}

/** Forgets the check runs of deployments that the lane does not know any more. */
export function forgetUnknown(actor: LaneActor): LaneActor {
  const { reported, patience } = actor.showing;
  const known = new Set(deploymentsOf(actor.state).map(({ id }) => id));
  const kept = Object.entries(reported).filter(([id]) => known.has(id));
  if (kept.length === Object.keys(reported).length) return actor;
  const rest = withoutUnknown(patience, (id) => known.has(id));
  return { ...actor, showing: { ...actor.showing, reported: Object.fromEntries(kept), patience: rest } };
}

/**
 * Notes the uncertain check runs of deployments from the record. A former run of this lane may have ended before it heard that
 * a check run was created, and the terraform workflow of any deployment that left the queue may still write. If such a
 * deployment has ended, its workflow is asked to write again; if the workflow is gone, the lane writes.
 */
export function withUncertain(actor: LaneActor): LaneActor {
  const { showing, state } = actor;
  const added = deploymentsOf(state).filter(({ id }) => showing.reported[id] === undefined);
  const asked = added.filter(({ progress: { status, times } }) => hasEnded(status) && times.preparing !== undefined);
  const uncertain = added.map((deployment): [string, Reported] => [
    deployment.id,
    {
      creationUncertain: true,
      ...((deployment === state.running || asked.includes(deployment)) && { isHandedOver: true }),
    },
  ]);
  const reported = { ...Object.fromEntries(uncertain), ...showing.reported };
  return asked.reduce((before, { id }) => askWriter(before, id), { ...actor, showing: { ...showing, reported } });
}

/** For check runs that the writer knows, its own answer counts. The newest check run is the last. */
export function joinRefs(known: readonly CheckRunRef[], written: readonly CheckRunRef[]): readonly CheckRunRef[] {
  const others = known.filter(({ id }) => !written.some((own) => own.id === id));
  return [...others, ...written].toSorted((one, other) => one.id - other.id);
}
