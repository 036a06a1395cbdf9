/** What a lane asks of the world, in memory: storage, GitHub, a Terraform host. Each part can fail and hold still. */
import { setTimeout } from 'node:timers/promises';
import type { ClaimActivities, HostActivities } from '@nereid/domain/activities';
import {
  hasEnded,
  type ApplyOutcome,
  type Deployment,
  type Presentation,
  type Progress,
  type Shown,
} from '@nereid/domain/deployment';
import type { Ended, Finish, TerraformActivities } from '@nereid/domain/deployment-actor';
import { auditsOfAside, goOf, plannedOn } from '@nereid/domain/deployment-testing';
import {
  isReturnedEnd,
  laneWorkflowId,
  recordWith,
  type Comparison,
  type LaneActivities,
  type LaneRecord,
  type LaneStored,
  type StoredLane,
  type TerraformFound,
  type Unanswered,
} from '@nereid/domain/lane';
import type { DependenciesFound } from '@nereid/domain/rollout';
import { CONTROL_QUEUE, MESSAGE, WORKFLOW } from '@nereid/domain/temporal-names';
import type { AuditEvent } from '@nereid/domain/trail';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { GateWait } from '@nereid/domain/gates';
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { aPlan } from '@nereid/domain/testing';

/** Presentations without a check run get a new one, as GitHub does. */
type CheckRuns = Map<string, Presentation>;

const READY: DependenciesFound = { kind: 'ready' };

export class FakeWorld {
  stored: StoredLane | null = null;
  /** Why the record cannot be read, though storage is there. */
  unreadable: string | (() => string) | undefined;
  readonly kept: Deployment[] = [];
  readonly checkRuns: CheckRuns = new Map();
  /** What happened, in order: `stored`, `planned <sha>`, `applied <sha>`. */
  readonly happened: string[] = [];
  readonly down = { storage: false, checkRuns: false, compare: false, git: false };
  /** What GitHub says to a check run that it does not take; undefined: it takes it. */
  answer: (presentation: Presentation) => Exclude<Shown, { kind: 'shown' }> | undefined = () => undefined;
  /** Every check run that was sent, batch by batch. */
  readonly sent: (readonly Presentation[])[] = [];
  /** How many are under way, and the most that were together. */
  readonly batches = { underWay: 0, atOnce: 0 };
  /** How long each activity of the control worker takes, at random between these, in milliseconds. */
  slowness: readonly [number, number] = [0, 0];
  /** What is found of a terraform workflow that closed without a result, or that Temporal has forgotten. */
  closedWith: Omit<Extract<TerraformFound, { kind: 'closed' }>, 'kind'> | undefined;
  /** Check runs wait here until GitHub answers, if it is set. */
  silence: Promise<unknown> | undefined;
  readonly audits: AuditEvent[] = [];
  /** What is found of other lanes, by rollout; the others are ready. */
  readonly dependencies = new Map<string, DependenciesFound>();
  /** How often nothing new was found of them. */
  looks = 0;
  /** A gate that only control can ask, where it is closed. */
  closed: GateWait | undefined;
  comparison: Comparison = 'ahead';
  /** Of single commits; the others compare as above. */
  readonly comparisons = new Map<string, Comparison>();
  hasChanges = true;
  applyOutcome: ApplyOutcome = {
    kind: 'applied',
    counts: { added: 1, changed: 0, destroyed: 0, imported: 0 },
  };
  /** Plans and applies wait here until `release` is called. */
  private held: PromiseWithResolvers<void> | undefined;
  private readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  hold(): void {
    this.held = Promise.withResolvers();
  }

  release(): void {
    this.held?.resolve();
    this.held = undefined;
  }

  /** The record as storage would give it back. */
  get record(): LaneRecord | undefined {
    return this.stored?.record;
  }

  readonly control: LaneActivities & TerraformActivities = {
    readLane: async (_repository, _rootName, shown, awaited) => {
      await this.slow();
      const why = this.down.storage ? 'storage is down' : this.whyUnreadable();
      if (why === undefined) return { kind: 'read', stored: this.stored };
      if (why === shown || awaited === 'record') throw new Error(why);
      return { kind: 'unreadable', why };
    },
    admitDeployment: async ({ record, ifVersion, compareWith, compareWithMerge, contains, show }) => {
      await this.slow();
      if (this.closed !== undefined) return { stored: this.store(record, ifVersion), closed: this.closed };
      const head = record.running?.revision.sha ?? '';
      const comparison = this.comparisons.get(head) ?? this.comparison;
      const answer = this.down.compare ? unanswered('compare') : ({ kind: 'compared', comparison } as const);
      return {
        stored: this.down.storage ? unanswered('storage') : this.store(record, ifVersion),
        ...(compareWith !== undefined && { comparison: answer }),
        ...(compareWithMerge !== undefined && { comparisonWithMerge: answer }),
        ...(contains !== undefined && {
          contained: this.down.git
            ? unanswered('git')
            : { kind: 'listed', shas: contains.filter((sha) => sha <= head) },
        }),
        ...(show && { shown: this.showAtOnce(show) }),
      };
    },
    settleLane: async ({ record, ifVersion, ended, audits, returned }) => {
      await this.slow();
      this.refuseIf('storage');
      const shown = returned?.show && this.showAtOnce(returned.show);
      for (const { deployment } of ended) this.keep(deployment);
      this.audits.push(...audits);
      const [end] = ended;
      const once = returned && end ? recordWith(record, end.deployment.id, { shown }) : record;
      return { ...this.store(once, ifVersion), ...(shown && { shown }) };
    },
    findTerraform: async (_repository, _rootName, { deploymentId }) => {
      await this.slow();
      return this.findTerraform(deploymentId);
    },
    findDependencies: async (_repository, dependents) => {
      await this.slow();
      const found = dependents.map(({ rollout }) => this.dependencies.get(rollout) ?? READY);
      if (found.some((one, index) => one.kind !== 'waiting' || one.clause !== dependents[index]?.shown)) return found;
      this.looks += 1;
      throw new Error('as it was');
    },
    showCheckRuns: async (_repository, presentations) => {
      await this.slow();
      this.sent.push(presentations);
      this.batches.underWay += 1;
      this.batches.atOnce = Math.max(this.batches.atOnce, this.batches.underWay);
      await this.silence;
      this.batches.underWay -= 1;
      this.refuseIf('checkRuns');
      return presentations.map((presentation) => this.show(presentation));
    },
    showCheckRun: async (_repository, presentation) => {
      await this.slow();
      await this.silence;
      this.refuseIf('checkRuns');
      const shown = this.show(presentation);
      if (shown.kind === 'shown' || shown.kind === 'refused') return shown;
      throw ApplicationFailure.create({ message: shown.why, nextRetryDelay: shown.retryAfterMs ?? 20 });
    },
    findReviewedPlan: () => Promise.resolve({ kind: 'unusable', why: 'nobody reviewed it' }),
    carryReview: () => Promise.resolve({ kind: 'not-carried', why: 'nobody confirmed it' }),
    verifyPress: () => this.slow(),
    verifyPlan: () => this.slow(),
    begin: async ({ deployment, job, hostId, audits }) => {
      await this.slow();
      this.audits.push(...audits);
      return goOf({ deployment, job, hostId });
    },
    recordAside: async (aside) => {
      await this.slow();
      this.audits.push(...auditsOfAside(aside));
    },
    endDeployment: async ({ show, isTold = false, ...ending }) => {
      const { repository, deployment } = ending.record;
      await this.slow();
      if (isTold) return this.storeEnd(ending);
      await this.client.workflow.signalWithStart(WORKFLOW.deploy, {
        workflowId: laneWorkflowId(repository, deployment.root.name),
        taskQueue: CONTROL_QUEUE,
        args: [{ repository, rootName: deployment.root.name }],
        signal: MESSAGE.deploymentEnded,
        signalArgs: [{ version: 1, deploymentId: deployment.id, progress: deployment.progress }],
      });
      if (show === undefined) return { isStored: false };
      const isTaken = () => this.control.showCheckRun(repository, { ...show, deployment }).catch(() => undefined);
      // The end is not held up by a GitHub that does not answer.
      const shown = this.silence === undefined ? await isTaken() : undefined;
      const stored = this.down.storage ? { isStored: false } : this.storeEnd(ending);
      return { ...(shown && { shown }), ...stored };
    },
    isHostAlive: () => Promise.resolve(false),
    explainWait: () => Promise.resolve({ kind: 'waits', why: 'Waiting for a host' }),
  };

  readonly claims: ClaimActivities = {
    claimHost: async (deploymentId) => ({
      body: { version: 1, deploymentId, hostId: 'host-1' },
      signature: 'of the host',
    }),
    claimAndPlan: async ({ order }) => {
      const { id, revision } = order.body;
      this.happened.push(`planned ${revision.sha}`);
      await this.waitWhileHeld();
      const { made: plan } = aPlan({ hasChanges: this.hasChanges });
      return plannedOn(id, 'host-1', { kind: 'planned', plan });
    },
  };

  readonly host: HostActivities = {
    applyOnHost: async ({ order }) => {
      this.happened.push(`applied ${order.body.revision.sha}`);
      return this.applyOutcome;
    },
    inspectApply: async () => this.applyOutcome,
    stopOnHost: () => Promise.resolve(),
    cleanUpHost: () => Promise.resolve(),
  };

  private whyUnreadable(): string | undefined {
    return typeof this.unreadable === 'function' ? this.unreadable() : this.unreadable;
  }

  private refuseIf(part: keyof typeof this.down): void {
    if (this.down[part]) throw new Error(`${part} is down`);
  }

  private store(record: LaneRecord, ifVersion: string | null): LaneStored {
    const why = this.whyUnreadable();
    if (why !== undefined) return { kind: 'unreadable', why };
    const version = this.stored?.version ?? null;
    if (this.stored !== null && version !== ifVersion) return { kind: 'other', stored: this.stored };
    this.stored = { record, version: String(Number(version ?? 0) + 1) };
    if (record.running !== undefined) this.happened.push(`stored ${record.running.revision.sha}`);
    return { kind: 'stored', version: this.stored.version };
  }

  /** A GitHub that does not answer is not waited for. */
  private showAtOnce(presentation: Presentation): Shown {
    const isAway = this.silence !== undefined || this.down.checkRuns;
    if (isAway) return { kind: 'failed', deploymentId: presentation.deployment.id, why: 'it does not answer' };
    this.sent.push([presentation]);
    return this.show(presentation);
  }

  private show(presentation: Presentation): Shown {
    const { id, checkRuns } = presentation.deployment;
    const not = this.answer(presentation);
    if (not !== undefined) return not;
    this.checkRuns.set(id, presentation);
    // Found again by whoever does not know its number.
    const number = [...this.checkRuns.keys()].indexOf(id) + 1;
    const checkRun = checkRuns.at(-1) ?? { id: number, completed: false };
    return { deploymentId: id, kind: 'shown', checkRuns: [checkRun] };
  }

  /** As slow as the test says. */
  private async slow(): Promise<void> {
    const [least, most] = this.slowness;
    if (most > 0) await setTimeout(least + Math.random() * (most - least));
  }

  private async waitWhileHeld(): Promise<void> {
    const beat = keepBeating();
    try {
      await Promise.race([this.held?.promise, Context.current().cancelled]);
    } finally {
      clearInterval(beat);
    }
  }

  private storeEnd({ record, audits }: Finish): Ended {
    this.refuseIf('storage');
    this.keep(record.deployment);
    this.audits.push(...audits);
    return { isStored: true };
  }

  /** As storage does it: what is there stays. */
  private keep(deployment: Deployment): void {
    if (!this.kept.some(({ id }) => id === deployment.id)) this.kept.push(deployment);
  }

  private async findTerraform(deploymentId: string): Promise<TerraformFound> {
    const handle = this.client.workflow.getHandle(deploymentId);
    try {
      const { status } = await handle.describe();
      const result: unknown = status.name === 'COMPLETED' ? await handle.result() : undefined;
      if (isReturnedEnd(result)) return { kind: 'completed', result };
      if (status.name !== 'RUNNING') return { kind: 'closed', ...this.closedWith };
      const progress = await handle.query<Progress>(MESSAGE.progress);
      return hasEnded(progress.status) ? { kind: 'ended', progress } : { kind: 'running' };
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      return this.closedWith === undefined ? { kind: 'not-started' } : { kind: 'closed', ...this.closedWith };
    }
  }
}

function unanswered(part: string): Unanswered {
  return { kind: 'unanswered', why: `${part} is down` };
}

/** A cancellation is delivered with the answer to a heartbeat. */
const HEARTBEAT_MS = 50;

function keepBeating(): NodeJS.Timeout {
  const context = Context.current();
  return setInterval(() => context.heartbeat(), HEARTBEAT_MS);
}
