/** The starting points for tests of the lane. */
import type { Deployment } from './deployment/model.ts';
import type { Progress } from './deployment/progress.ts';
import type { DeploymentRequest } from './deployment/request.ts';
import { hasEnded } from './deployment/status.ts';
import type { Admitted } from './lane/activities.ts';
import type { CarriedLane } from './lane/input.ts';
import type { NewRevision } from './lane/messages.ts';
import type { LaneRecord } from './lane/record.ts';
import type { PlanSummary } from './plan/summary.ts';
import { aDeployment, aPlan, aRoot } from './testing/samples.ts';
import type { LaneActor } from './lane/rules/actor/actor.ts';
import { openLane } from './lane/rules/actor/opening/open.ts';
import { decide } from './lane/rules/actor/decide.ts';
import type { Effect } from './lane/rules/actor/effects.ts';
import type { LaneEvent, LaneMessage } from './lane/rules/actor/events.ts';
import { nextEffect, type Circumstances } from './lane/rules/actor/next-effect.ts';
import { differences, dueBatch } from './lane/rules/actor/showing/differences.ts';

export * from './testing/envelopes.ts';
export * from './testing/samples.ts';

export const REPOSITORY = { owner: 'acme', name: 'infra', installationId: 1 } as const;

/** The time of all events whose order does not matter to a test. */
export const NOW = '2026-01-31T14:00:00.000Z';
export const NOW_MS = Date.parse(NOW);

/** The commit of the branch at this position: 40 digits that end in the position. */
export function shaAt(position: number): string {
  return String(position).padStart(40, '0');
}

/** A merge of the commit at this position; every field can be given otherwise. */
export function aRequest(position: number, changes: Partial<DeploymentRequest> = {}): DeploymentRequest {
  return {
    requestId: `delivery-${position}:network`,
    root: { ...aRoot(), planReview: 'auto' },
    revision: { sha: shaAt(position), branch: 'main', position, title: `Change ${position}`, author: 'alice' },
    trigger: 'merge',
    rerun: false,
    force: false,
    requestedBy: 'alice',
    ...changes,
  };
}

export function aRevision(position: number, changes: Partial<DeploymentRequest> = {}): NewRevision {
  return { version: 1, ...aRequest(position, changes) };
}

/** A deployment of the commit at this position, with the position as its id. */
export function deploymentAt(position: number, changes: Partial<Deployment> = {}): Deployment {
  const ordered = { ...aRequest(position), expiresAt: NEVER, id: String(position) };
  return { ...aDeployment({ status: 'queued' }), ...ordered, ...changes };
}

/** Of orders that are good for as long as a test takes. ISO 8601. */
export const NEVER = '2999-01-31T14:00:00.000Z';

/** As large as one may be: 200 resources whose addresses have 200 characters each, of three bytes. */
export function aLargeSummary(): PlanSummary {
  const resources = Array.from({ length: 200 }, (_, index) => ({
    address: `module.${'桜'.repeat(190)}${String(index).padStart(3, '0')}`,
    action: 'create' as const,
  }));
  return { ...aPlan().made.body.summary, resources };
}

export function aRecord(changes: Partial<LaneRecord> = {}): LaneRecord {
  return {
    version: 1,
    repository: REPOSITORY,
    rootName: 'network',
    manual: [],
    merged: [],
    seen: { requestIds: [], merges: [] },
    writer: { runId: 'another run', sequence: 7 },
    ...changes,
  };
}

export function progressAs(status: Progress['status'], at = NOW): Progress {
  return { status, times: { [status]: at }, jobs: {} };
}

/** The message for the commit at this position, with the position as the deployment's id. */
export function arrivalOf(position: number, changes: Partial<DeploymentRequest> = {}): LaneMessage {
  return { kind: 'new-revision', at: NOW, id: String(position), request: aRequest(position, changes) };
}

/** A lane that has not begun to read its record. */
export function aLane(carried?: CarriedLane): LaneActor {
  const input = { repository: REPOSITORY, rootName: 'network', ...(carried && { carried }) };
  return openLane(input, { runId: 'run', random: 0.5, now: NOW_MS });
}

/** A lane that has read its record. */
export function aRestoredLane(record: Partial<LaneRecord> = {}): LaneActor {
  return after(aLane(), { kind: 'read', read: { kind: 'read', stored: { record: aRecord(record), version: '1' } } });
}

/** The lane after these events, which happen at `NOW`. */
export function after(lane: LaneActor, ...events: readonly LaneEvent[]): LaneActor {
  return decide(lane, events, NOW_MS);
}

/** The lane once it waits, and the effects that it began until then. Terraform workflows take messages at once. */
export function begin(
  lane: LaneActor,
  circumstances: Partial<Circumstances> = {},
): readonly [LaneActor, readonly Effect[]] {
  const now = circumstances.now ?? NOW_MS;
  const effects: Effect[] = [];
  for (let next = lane; ;) {
    const effect = nextEffect(next, { isLong: false, ...circumstances, now });
    effects.push(effect);
    if (effect.kind === 'wait' || effect.kind === 'continue-as-new' || effect.kind === 'finish') return [next, effects];
    next = decide(next, [{ kind: 'begun', effect }], now);
    if (effect.kind === 'pass-on')
      next = decide(next, [{ kind: 'passed-on', passOn: effect.passOn, isThere: true }], now);
  }
}

/** The only effect of this kind. */
export function effectIn<Kind extends Effect['kind']>(
  effects: readonly Effect[],
  kind: Kind,
): Extract<Effect, { kind: Kind }> {
  const [found, ...others] = effects.filter(
    (effect): effect is Extract<Effect, { kind: Kind }> => effect.kind === kind,
  );
  if (found === undefined || others.length > 0)
    throw new Error(`expected one ${kind} in ${effects.map((one) => one.kind).join(', ')}`);
  return found;
}

/** Storage and GitHub let the deployment start. */
export const ADMITTED: Admitted = {
  stored: { kind: 'stored', version: '2' },
  comparison: { kind: 'compared', comparison: 'ahead' },
};

/** A lane that asks whether its deployment may run, while its first write to GitHub is under way: that did not go with the question. */
export function anAdmittingLane(arrival: LaneMessage = arrivalOf(1)): readonly [LaneActor, readonly Effect[]] {
  const popped = decide(after(aRestoredLane(), arrival), [{ kind: 'begun', effect: { kind: 'pop' } }], NOW_MS);
  const presentations = dueBatch(popped, differences(popped), NOW_MS);
  return begin(decide(popped, [{ kind: 'begun', effect: { kind: 'show', presentations } }], NOW_MS));
}

/** A lane whose first write to GitHub is under way, and that has asked Temporal for its deployment's terraform workflow. */
export function aStartingLane(arrival: LaneMessage = arrivalOf(1)): LaneActor {
  const [admitting, effects] = anAdmittingLane(arrival);
  const [starting] = begin(
    after(admitting, { kind: 'admitted', effect: effectIn(effects, 'admit'), admitted: ADMITTED }),
  );
  return starting;
}

/** A lane whose deployment is in its terraform workflow. */
export function aFollowingLane(arrival: LaneMessage = arrivalOf(1)): LaneActor {
  const starting = aStartingLane(arrival);
  return after(starting, { kind: 'started', deploymentId: starting.state.running?.id ?? '' });
}

/** GitHub took all presentations under way, each in a check run with the number of its deployment. */
export function shown(lane: LaneActor): LaneActor {
  const presentations = lane.showing.sending ?? [];
  const results = presentations.map(({ deployment: { id, checkRuns, progress }, lock }) => {
    const completed = hasEnded(progress.status) || lock !== undefined;
    return {
      kind: 'shown' as const,
      deploymentId: id,
      checkRuns: [...checkRuns.slice(0, -1), { id: checkRuns.at(-1)?.id ?? Number(id), completed }],
    };
  });
  return after(lane, { kind: 'shown', effect: { kind: 'show', presentations }, results });
}

/** A terraform workflow says that its deployment has ended. */
export function endOf(deploymentId: string, status: Progress['status'] = 'succeeded', isClosed = false): LaneMessage {
  const message = { version: 1, deploymentId, progress: progressAs(status), ...(isClosed && { isClosed }) } as const;
  return { kind: 'deployment-ended', at: NOW, message };
}

/** A lane in which the first deployment runs and these wait, each with a check run of its own. */
export function aBusyLane(...waiting: readonly LaneMessage[]): LaneActor {
  const [lane] = begin(after(shown(aFollowingLane(arrivalOf(0))), ...waiting));
  return shown(lane);
}
