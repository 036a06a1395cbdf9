/** The world around a lane, in memory, with its own clock: each part may be slow, fail, or do its work and lose the answer. */
import { defined } from '../defined.ts';
import type { Unlock } from '../deployment/lock.ts';
import type { Deployment } from '../deployment/model.ts';
import type { Presentation, Shown } from '../deployment/presentation.ts';
import type { Progress } from '../deployment/progress.ts';
import { hasEnded, type EndedStatus } from '../deployment/status.ts';
import type {
  Admission,
  Admitted,
  Comparison,
  LaneStored,
  ReturnedEnd,
  Settled,
  Settlement,
  StoredLane,
  TerraformFound,
} from '../lane/activities.ts';
import type { LaneHint } from '../lane/input.ts';
import type { DeploymentEnded } from '../lane/messages.ts';
import type { LaneRecord } from '../lane/record.ts';
import type { DependenciesFound, DependentDeployment } from '../rollout/model.ts';
import type { EffectOf, PassOn } from '../lane/rules/actor/effects.ts';
import type { Signed } from '../signed.ts';
import { appearance } from '../lane/rules/check-runs/presentations.ts';
import { isOutcomeOfHost } from '../deployment/rules/unsigned.ts';
import { recordWith } from '../lane/rules/actor/returned.ts';
import { progressAs, shaAt } from '../testing.ts';
import { GitHubInMemory } from './github-in-memory.ts';
import { WorldWithClock } from './world-with-clock.ts';

/** A terraform workflow. */
interface Terraform {
  readonly deployment: Deployment;
  progress: Progress;
  unlocked: Signed<Unlock> | undefined;
  /** Nobody hears when it closes, or something else is left to do. */
  tellsEnd: boolean;
  /** Whether its last write is still shown, as far as it knows. */
  isShown: boolean;
  isClosed: boolean;
  result: ReturnedEnd | undefined;
  /** Tells the lane that started it. */
  readonly closed: (result: ReturnedEnd | undefined) => void;
}

/** Mostly ends after which a lane goes on. */
const ENDS: readonly EndedStatus[] = [
  'succeeded',
  'succeeded',
  'no-changes',
  'plan-failed',
  'rejected',
  'apply-failed',
  'apply-outcome-unknown',
];

export class WorldInMemory extends WorldWithClock {
  stored: StoredLane | null = null;
  readonly github = new GitHubInMemory();
  readonly terraforms = new Map<string, Terraform>();
  /** Deployments whose own record is stored, by id. */
  readonly ended = new Map<string, Deployment>();
  /** GitHub will not show these. */
  readonly refused = new Set<string>();
  /** What becomes of the deployments in other lanes for which a rollout waits, and when. */
  readonly dependencies = new Map<string, { readonly until: number; readonly then: DependenciesFound }>();
  /** The first answers that were stored. */
  readonly judged = new Map<string, unknown>();
  /** As it was before the last write. */
  private storedBefore: StoredLane | null = null;
  /** A terraform workflow tells the lane. */
  onEnded: (message: DeploymentEnded) => void = () => undefined;

  /** Within a second most of the time, and always within half a minute. */
  delay(): number {
    const most = this.isHealthy || this.isLikely(70) ? 500 : this.isLikely(80) ? 3_000 : 30_000;
    return Math.floor(this.random() * most);
  }

  /** Does the work after a while and answers later. Or fails, or does the work and loses the answer. */
  async<T>(work: () => T, answer: (result: T) => void, fail: (why: string) => void): void {
    const fate = this.isHealthy || this.isLikely(80) ? 'answered' : this.isLikely(50) ? 'lost' : 'failed';
    this.at(this.now + this.delay(), () => {
      const result = fate === 'failed' ? undefined : { of: work() };
      this.at(this.now + this.delay(), () => {
        if (result === undefined || fate === 'lost') fail('the world is away');
        else answer(result.of);
      });
    });
  }

  /** As the worker stores it: an earlier write of the same run does not count as another writer's. */
  store(record: LaneRecord, ifVersion: string | null): LaneStored {
    const { stored } = this;
    const isEarlier =
      stored?.record.writer.runId === record.writer.runId && stored.record.writer.sequence < record.writer.sequence;
    if (stored !== null && stored.version !== ifVersion && !isEarlier) return { kind: 'other', stored };
    this.storedBefore = stored;
    this.stored = { record, version: String(Number(stored?.version ?? 0) + 1) };
    for (const { requestId, answer } of record.judged ?? [])
      if (!this.judged.has(requestId)) this.judged.set(requestId, answer);
    return { kind: 'stored', version: this.stored.version };
  }

  /** What the sender of a message found: nothing, the record, or what was the record until somebody wrote it. */
  hint(): LaneHint | undefined {
    if (this.isLikely(40)) return undefined;
    return { stored: this.isLikely(60) ? this.stored : this.storedBefore, at: this.now };
  }

  admit({ record, ifVersion, compareWith, compareWithMerge, contains, show }: Admission): Admitted {
    const head = record.running?.revision.sha ?? '';
    const unanswered = { kind: 'unanswered', why: 'it is away' } as const;
    const isAway = () => !this.isHealthy && this.isLikely(10);
    const compared = (base: string) =>
      isAway() ? unanswered : ({ kind: 'compared', comparison: compare(base, head) } as const);
    if (!this.isHealthy && this.isLikely(10)) {
      // A gate is closed for minutes.
      const until = this.now + Math.floor(this.random() * 120_000);
      const closed = { gate: 'window', who: [], sentence: 'Closed', until } as const;
      return { stored: this.store(record, ifVersion), closed, ...defined({ shown: show && this.show([show])[0] }) };
    }
    return {
      stored: isAway() ? unanswered : this.store(record, ifVersion),
      ...(compareWith !== undefined && { comparison: compared(compareWith) }),
      ...(compareWithMerge !== undefined && { comparisonWithMerge: compared(compareWithMerge) }),
      ...(contains !== undefined && {
        contained: isAway() ? unanswered : { kind: 'listed', shas: contains.filter((sha) => sha <= head) },
      }),
      ...defined({ shown: show && this.show([show])[0] }),
    };
  }

  settle({ record, ifVersion, ended }: Settlement): LaneStored {
    const stored = this.store(record, ifVersion);
    for (const { deployment } of ended) this.keep(deployment);
    return stored;
  }

  /** As the worker does it: what GitHub does not show is stored all the same. */
  settleEnd({ record, ifVersion, ended, returned }: Settlement): Settled {
    const [end] = ended;
    if (end === undefined) throw new Error('no end was returned');
    if (!this.isHealthy && isOutcomeOfHost(end.deployment.progress) && this.isLikely(10)) return { kind: 'forged' };
    const [shown] = returned?.show === undefined ? [] : this.show([returned.show]);
    if (!this.isHealthy && this.isLikely(10)) return { kind: 'unsettled', ...defined({ shown }) };
    this.keep(end.deployment);
    const stored = this.store(recordWith(record, end.deployment.id, { shown }), ifVersion);
    return { ...stored, ...defined({ shown }) };
  }

  show(presentations: readonly Presentation[]): readonly Shown[] {
    return presentations.map((presentation): Shown => {
      const { id: deploymentId } = presentation.deployment;
      if (!this.isHealthy && this.isLikely(10)) return { kind: 'failed', deploymentId, why: 'GitHub is away' };
      if (!this.isHealthy && this.isLikely(5))
        return { kind: 'limited', deploymentId, why: 'a limit', retryAfterMs: 5_000 };
      if (!this.isHealthy && this.isLikely(2)) return this.refuse(deploymentId);
      return { kind: 'shown', deploymentId, checkRuns: this.github.write(presentation) };
    });
  }

  /** Undefined while nothing is news. */
  look(dependents: readonly DependentDeployment[]): readonly DependenciesFound[] | undefined {
    const found = dependents.map(({ rollout }) => this.dependencyOf(rollout));
    const isNews = found.some((one, index) => one.kind !== 'waiting' || one.clause !== dependents[index]?.shown);
    return isNews ? found : undefined;
  }

  private dependencyOf(rollout: string): DependenciesFound {
    const { until, then } = this.dependencies.get(rollout) ?? { until: 0, then: { kind: 'ready' } };
    return this.now < until ? { kind: 'waiting', clause: `waits for ${rollout}` } : then;
  }

  find(deploymentId: string): TerraformFound {
    const terraform = this.terraforms.get(deploymentId);
    if (terraform === undefined) return { kind: 'not-started' };
    const { progress, isClosed, result } = terraform;
    if (isClosed && result !== undefined) return { kind: 'completed', result };
    if (hasEnded(progress.status)) return { kind: 'ended', progress };
    if (isClosed && !this.isHealthy && this.isLikely(20)) return { kind: 'closing' };
    return { kind: isClosed ? 'closed' : 'running' };
  }

  /** Returns whether the terraform workflow is there. */
  passOn(passOn: PassOn): boolean {
    const terraform = this.terraforms.get(passOn.deploymentId);
    if (terraform === undefined || terraform.isClosed) return false;
    if (passOn.kind === 'cancel') this.at(this.now + this.delay(), () => this.end(terraform, 'cancelled'));
    if (passOn.kind === 'show-again')
      Object.assign(terraform, {
        isShown: false,
        unlocked: passOn.unlocked ?? terraform.unlocked,
        tellsEnd: terraform.tellsEnd || passOn.tellsEnd === true,
      });
    return true;
  }

  /** Returns false when it was started before. `closed` tells the lane that started it. */
  start({ deployment }: EffectOf<'start'>, closed: (result: ReturnedEnd | undefined) => void): boolean {
    if (this.terraforms.has(deployment.id)) return false;
    if (deployment.rollout !== undefined && this.dependencyOf(deployment.rollout).kind !== 'ready')
      throw new Error(`${deployment.id} was started before what it waits for`);
    if (this.atWork.length > 0) throw new Error(`${deployment.id} was started while another one runs`);
    const terraform: Terraform = {
      deployment,
      progress: progressAs('planning'),
      unlocked: deployment.unlocked,
      isShown: false,
      tellsEnd: this.isLikely(30),
      isClosed: false,
      result: undefined,
      closed,
    };
    this.terraforms.set(deployment.id, terraform);
    const end = ENDS[Math.floor(this.random() * ENDS.length)] ?? 'succeeded';
    this.at(this.now + 1_000 + 10 * this.delay(), () => this.end(terraform, end));
    return true;
  }

  /** Somebody ends it by force. Much later the reconciler finds that. */
  kill(deploymentId: string): void {
    const terraform = this.terraforms.get(deploymentId);
    if (terraform === undefined || !this.atWork.includes(terraform)) return;
    this.close(terraform);
    this.at(this.now + 60_000, () =>
      this.onEnded({ version: 1, deploymentId, progress: progressAs('cancelled'), isClosed: true }),
    );
  }

  get atWork(): readonly Terraform[] {
    return [...this.terraforms.values()].filter(({ isClosed, progress }) => !isClosed && !hasEnded(progress.status));
  }

  /** As the terraform workflow does it: it returns its end; or the lane hears of it first, then GitHub, then it closes. */
  private end(terraform: Terraform, status: EndedStatus): void {
    if (terraform.isClosed || hasEnded(terraform.progress.status)) return;
    const at = new Date(this.now).toISOString();
    const { deployment } = terraform;
    const times = { ...deployment.progress.times, [status]: at };
    terraform.progress = { status, times, jobs: {} };
    const { progress } = terraform;
    if (!terraform.tellsEnd) {
      const { checkRuns } = deployment;
      terraform.result = { progress, checkRuns, reported: { creationUncertain: true }, untold: [] };
      this.close(terraform);
      return;
    }
    const endedAt = this.now + this.delay();
    this.at(endedAt, () => this.onEnded({ version: 1, deploymentId: deployment.id, progress }));
    this.at(endedAt + this.delay(), () => this.showEnd(terraform));
  }

  /** Shows the end again until nothing has come meanwhile. */
  private showEnd(terraform: Terraform): void {
    if (terraform.isClosed) return;
    const { progress, unlocked } = terraform;
    const deployment = { ...terraform.deployment, ...(unlocked && { unlocked }), progress };
    const presentation = { deployment, creationUncertain: true };
    const checkRuns = this.github.write(presentation);
    this.keep(deployment);
    terraform.result = { progress, checkRuns, reported: { digest: appearance(presentation) } };
    terraform.isShown = true;
    this.at(this.now + this.delay(), () => {
      if (terraform.isShown) this.close(terraform);
      else this.showEnd(terraform);
    });
  }

  private close(terraform: Terraform): void {
    if (terraform.isClosed) return;
    terraform.isClosed = true;
    this.at(this.now + this.delay(), () => terraform.closed(terraform.result));
  }

  private keep(deployment: Deployment): void {
    if (!this.ended.has(deployment.id)) this.ended.set(deployment.id, deployment);
  }

  private refuse(deploymentId: string): Shown {
    this.refused.add(deploymentId);
    return { kind: 'refused', deploymentId, why: 'a field is too long' };
  }
}

/** Commits beyond the hundredth are on branches of their own. */
const BRANCHES = shaAt(100);

function compare(base: string, head: string): Comparison {
  if (base >= BRANCHES || head >= BRANCHES) return 'diverged';
  if (base === head) return 'identical';
  return base < head ? 'ahead' : 'behind';
}
