/** What is known of check runs: what they were told, by whom they are written, and what is uncertain of them. */
import { hasEnded, type CheckRunRef, type Deployment, type Reported } from '@nereid/contracts';
import { withoutUnknown } from './patience.ts';
import { appearance } from './presentations.ts';
import { deploymentsOf, find } from '../state/lane-state.ts';
import type { LaneActor } from '../actor/actor.ts';

/**
 * The running deployment, as its terraform workflow goes on with its check runs. A check run that is still being created is
 * believed to be: where it is not, that is passed on, unless the lane is terminated before. Any other write that is under
 * way may come after the next one: so that is written to a new check run.
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

/** Its terraform workflow writes it, as far as anybody knows. */
export function isHandedOver({ showing }: LaneActor, deploymentId: string): boolean {
  return showing.reported[deploymentId]?.isHandedOver === true;
}

/** GitHub is being told of it. */
export function isSending({ showing }: LaneActor, deploymentId: string): boolean {
  return showing.sending?.some(({ deployment }) => deployment.id === deploymentId) === true;
}

/** Another writer wrote it meanwhile: nobody knows which of both GitHub took last. */
export function overtakeSending(actor: LaneActor, deploymentId: string): LaneActor {
  if (!isSending(actor, deploymentId)) return actor;
  const sending = actor.showing.sending?.filter(({ deployment }) => deployment.id !== deploymentId);
  return { ...actor, showing: { ...actor.showing, sending } };
}

/** The lane shows the deployment, and keeps its record: its terraform workflow does neither any more. */
export function takeOver(actor: LaneActor, deploymentId: string): LaneActor {
  if (!actor.state.ended.some(({ id }) => id === deploymentId)) return actor;
  return isHandedOver(actor, deploymentId) ? forgetShown(actor, deploymentId) : actor;
}

/** Nobody knows what its check run says, and the lane is the one to write it. */
export function forgetShown(actor: LaneActor, deploymentId: string): LaneActor {
  return report(actor, deploymentId, { creationUncertain: true }, 'anew');
}

/** Its terraform workflow writes its check run once more, or else the lane does. */
export function askWriter(actor: LaneActor, deploymentId: string): LaneActor {
  const unlocked = find(actor.state, deploymentId)?.unlocked;
  const passOn = { kind: 'show-again', deploymentId, ...(unlocked && { unlocked }) } as const;
  const others = actor.passOns.filter((one) => one.kind !== 'show-again' || one.deploymentId !== deploymentId);
  return { ...actor, passOns: [...others, passOn] };
}

/** `anew`: nothing of what was known before is true. */
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

/** What is remembered of check runs whose deployments the lane does not know any more. */
export function forgetUnknown(actor: LaneActor): LaneActor {
  const { reported, patience } = actor.showing;
  const known = new Set(deploymentsOf(actor.state).map(({ id }) => id));
  const kept = Object.entries(reported).filter(([id]) => known.has(id));
  if (kept.length === Object.keys(reported).length) return actor;
  const rest = withoutUnknown(patience, (id) => known.has(id));
  return { ...actor, showing: { ...actor.showing, reported: Object.fromEntries(kept), patience: rest } };
}

/**
 * With deployments from the record: a former run of this lane may have ended between creating a check run and hearing of it, and
 * the terraform workflow of any deployment that left the queue may still write. Where that deployment has ended, the workflow is
 * asked to write again; where it is gone, the lane writes.
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

/** What a writer says of check runs that it knows goes before what was known. The newest is the last. */
export function joinRefs(known: readonly CheckRunRef[], written: readonly CheckRunRef[]): readonly CheckRunRef[] {
  const others = known.filter(({ id }) => !written.some((own) => own.id === id));
  return [...others, ...written].toSorted((one, other) => one.id - other.id);
}
