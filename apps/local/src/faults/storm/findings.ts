/** Checks the rules that must hold after a storm, by the ledger, the audit trail, storage, webhooks and check runs. */
import { buttonIdentifier, planButton, type Deployment } from '@nereid/domain/deployment';
import { isJobAuditEvent, type AuditEvent } from '@nereid/domain/trail';
import type { CheckRun } from '@nereid/github-stand-in';
import type { Press, Pushed } from './actors.ts';
import type { Closed } from './gate-keeper.ts';
import type { StoredStorm } from './records.ts';
import { brokenLimits } from './limit-findings.ts';
import type { Change, Span } from './storm-repository.ts';
import type { SeenDelivery } from './watch-deliveries.ts';

export interface Facts extends StoredStorm {
  readonly pushed: readonly Pushed[];
  readonly pressed: readonly Press[];
  readonly ledger: readonly Change[];
  readonly audited: readonly AuditEvent[];
  readonly checkRuns: readonly Readonly<CheckRun>[];
  readonly deliveries: readonly SeenDelivery[];
  /** Where nothing was to begin, and when. */
  readonly closed: readonly Closed[];
  /** What waited in the middle of the storm. */
  readonly waiting: readonly Readonly<CheckRun>[];
  readonly spans: readonly Span[];
  /** The roots that share a budget of one. */
  readonly narrow: readonly string[];
}

/** Each rule with the cases that break it: none when all is well. */
export type Findings = Readonly<Record<string, readonly string[]>>;

export function findingsOf(facts: Facts): Findings {
  return {
    'a push whose webhook was accepted reached its lane': acceptedWithoutDeployment(facts),
    'every deployment ended': alive(facts),
    'nothing was applied twice unless a person asked': appliedTwice(facts),
    'nothing was applied without an approval that names its plan': unapproved(facts),
    'merges of a root were applied in the order of the branch': outOfOrder(facts),
    'every applied change is in the audit trail': unaudited(facts),
    'each apply has RUNNING and exactly one end': unbalanced(facts),
    'each check run agrees with its deployment': disagreeing(facts),
    'nothing was applied against a gate': appliedAgainstGates(facts),
    'nothing waited without a sentence': speechless(facts),
    ...brokenLimits(facts),
  };
}

function acceptedWithoutDeployment({ pushed, deliveries, deployments, lanes }: Facts): string[] {
  const accepted = new Set(
    deliveries.filter(({ statusCode }) => statusCode === 202).map((delivery) => delivery.pushed),
  );
  const known = new Set([
    ...deployments.map(({ revision }) => revision.sha),
    ...lanes.flatMap(({ seen }) => seen.merges),
  ]);
  return pushed.filter(({ kind, sha }) => kind === 'merge' && accepted.has(sha) && !known.has(sha)).map(nameOf);
}

function alive({ lanes }: Facts): string[] {
  return lanes.flatMap(({ running, manual, merged }) =>
    [...(running ? [running] : []), ...manual, ...merged].map(
      ({ root, revision, progress }) => `${root.name} ${revision.sha}: ${progress.status}`,
    ),
  );
}

function appliedTwice({ pushed, ledger, deployments }: Facts): string[] {
  const entries = Map.groupBy(ledger, nameOf);
  return [...entries].flatMap(([name, all]) => {
    const sha = pushed.find((change) => nameOf(change) === name)?.sha;
    const asked = deployments.filter((deployment) => isOf(deployment, name, sha) && began(deployment)).length;
    return all.length > Math.max(1, asked) ? [`${name}: ${all.length} times, asked for ${asked} times`] : [];
  });
}

/** A merge may change several roots. */
function isOf({ revision, root }: Deployment, name: string, sha: string | undefined): boolean {
  return revision.sha === sha && name.startsWith(`${root.name} `);
}

function unapproved({ deployments, pressed }: Facts): string[] {
  const confirmed = Map.groupBy(
    pressed.filter(({ label }) => label === 'Confirm'),
    ({ externalId }) => externalId,
  );
  return deployments
    .filter((deployment) => began(deployment) && deployment.progress.plan?.reviewRequired === true)
    .filter(({ id, progress: { plan, review } }) => {
      const button = plan && planButton('confirm', plan.made);
      const named = button && buttonIdentifier(button);
      const isNamed = named !== undefined && confirmed.get(id)?.some(({ identifier }) => identifier === named) === true;
      return review?.answer !== 'approved' || !isNamed;
    })
    .map(({ id, progress }) => `${id}: ${progress.status}, reviewed by ${progress.review?.by ?? 'nobody'}`);
}

/** Leaves out re-runs: a person who runs an older merge again asks for just that order. */
function outOfOrder({ ledger, pushed, deployments }: Facts): string[] {
  const again = new Set(deployments.filter(({ rerun }) => rerun).map(({ revision }) => revision.sha));
  const shas = new Map(pushed.map((change) => [nameOf(change), change.sha]));
  const counted = ledger.filter((change) => change.kind === 'manual' || !again.has(shas.get(nameOf(change)) ?? ''));
  return [...Map.groupBy(counted, ({ rootName }) => rootName)].flatMap(([rootName, changes]) => {
    const numbers = changes.filter(({ kind }) => kind === 'merge').map(({ number }) => number);
    return numbers.every((number, index) => index === 0 || number >= (numbers[index - 1] ?? 0))
      ? []
      : [`${rootName}: ${changes.map(({ kind, number }) => `${kind} ${number}`).join(', ')}`];
  });
}

function unaudited({ ledger, pushed, audited }: Facts): string[] {
  const began = new Set(
    audited.flatMap((event) => (event.state === 'RUNNING' ? [`${event.rootName} ${event.revision}`] : [])),
  );
  return ledger
    .filter((change) => !commitsWith(pushed, change).some((sha) => began.has(`${change.rootName} ${sha}`)))
    .map(nameOf);
}

/** The commit of the change, and those of the branch until its root changes again: a push that was lost goes with the next one. */
function commitsWith(pushed: readonly Pushed[], change: Change): readonly string[] {
  const from = pushed.slice(pushed.findIndex((one) => nameOf(one) === nameOf(change)));
  if (change.kind === 'manual') return from.slice(0, 1).map(({ sha }) => sha);
  const merged = from.filter(({ kind }) => kind === 'merge');
  const next = merged.findIndex(({ rootName }, index) => index > 0 && rootName === change.rootName);
  return merged.slice(0, next === -1 ? undefined : next).map(({ sha }) => sha);
}

const ENDS = ['SUCCESS', 'FAILURE', 'UNKNOWN'];

function unbalanced({ audited }: Facts): string[] {
  return [...Map.groupBy(audited.filter(isJobAuditEvent), ({ jobId }) => jobId)].flatMap(([jobId, events]) => {
    const states = events.map(({ state }) => state).sort();
    const isBalanced =
      states.length === 2 && states.includes('RUNNING') && states.some((state) => ENDS.includes(state));
    return isBalanced ? [] : [`${jobId}: ${states.join(', ')}`];
  });
}

const CONCLUSIONS: Readonly<Record<string, readonly string[]>> = {
  success: ['succeeded', 'no-changes'],
  failure: ['plan-failed', 'apply-failed', 'refused', 'host-lost'],
  cancelled: ['rejected', 'cancelled'],
  timed_out: ['expired', 'apply-outcome-unknown'],
  neutral: ['skipped'],
};

function disagreeing({ deployments, checkRuns }: Facts): string[] {
  const byDeployment = Map.groupBy(checkRuns, ({ externalId }) => externalId);
  return deployments.flatMap(({ id, root, progress: { status } }) => {
    const [newest, ...older] = byDeployment.get(id) ?? [];
    const place = `${root.name} ${id}, which ${status}`;
    if (newest === undefined) return [`${place}: no check run`];
    const agrees = CONCLUSIONS[newest.conclusion ?? '']?.includes(status) === true;
    const isLeft = older.find((run) => run.status !== 'completed' || run.actions.length > 0);
    if (!agrees) return [`${place}: ${newest.conclusion ?? newest.status} ${newest.output.title ?? ''}`];
    return isLeft ? [`${place}: an older one still says ${isLeft.output.title ?? isLeft.status}`] : [];
  });
}

/** A permission to apply lives for half a minute, and a machine that is busy takes its time to begin. */
const UNDER_WAY_MS = 90_000;

/** A person who forces an apply passes them. */
function appliedAgainstGates({ closed, audited }: Facts): string[] {
  const begun = audited
    .filter(isJobAuditEvent)
    .filter(({ state, isForceApply }) => state === 'RUNNING' && !isForceApply);
  return closed.flatMap(({ rootName, by, from, to }) => {
    const fromMs = from === undefined ? 0 : Date.parse(from) + UNDER_WAY_MS;
    return begun
      .filter((event) => event.rootName === rootName && isBetween(Date.parse(event.startedAt), fromMs, Date.parse(to)))
      .map(({ jobId, startedAt }) => `${rootName} ${jobId}: at ${startedAt}, closed by a ${by} until ${to}`);
  });
}

function isBetween(ms: number, fromMs: number, toMs: number): boolean {
  return ms > fromMs && ms < toMs;
}

function speechless({ waiting }: Facts): string[] {
  return waiting.filter(({ output }) => (output.title ?? '') === '').map(({ name, headSha }) => `${name} ${headSha}`);
}

function began({ progress: { status } }: Deployment): boolean {
  return status === 'succeeded' || status === 'apply-failed' || status === 'apply-outcome-unknown';
}

function nameOf({ rootName, kind, number }: Change): string {
  return `${rootName} ${kind} ${number}`;
}
