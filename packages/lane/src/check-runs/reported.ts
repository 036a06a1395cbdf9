/** What is known of check runs: what they were told, by whom they are written, and what is uncertain of them. */
import type { CheckRunRef, Deployment, Reported } from '@nereid/contracts';
import { withoutUnknown } from './patience.ts';
import { appearance } from './presentations.ts';
import { deploymentsOf, type LaneState } from '../state/lane-state.ts';
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
  if (actor.showing.reported[deploymentId]?.isHandedOver !== true) return actor;
  return report(actor, deploymentId, { creationUncertain: true }, 'anew');
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

/** A former run of this lane may have ended between creating a check run and hearing of it. */
export function allUncertain(state: LaneState): Readonly<Record<string, Reported>> {
  const uncertain = deploymentsOf(state).map(({ id }): [string, Reported] => [
    id,
    { creationUncertain: true, ...(id === state.running?.id && { isHandedOver: true }) },
  ]);
  return Object.fromEntries(uncertain);
}

/** What a writer says of check runs that it knows goes before what was known. The newest is the last. */
export function joinRefs(known: readonly CheckRunRef[], written: readonly CheckRunRef[]): readonly CheckRunRef[] {
  const others = known.filter(({ id }) => !written.some((own) => own.id === id));
  return [...others, ...written].toSorted((one, other) => one.id - other.id);
}
