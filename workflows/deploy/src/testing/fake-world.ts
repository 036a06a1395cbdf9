/** What a lane asks of the world, in memory: storage, GitHub, a Terraform host. Each part can fail and hold still. */
import {
  laneWorkflowId,
  MESSAGE,
  type ApplyOutcome,
  type AuditEvent,
  type ClaimActivities,
  type Comparison,
  type Deployment,
  type HostActivities,
  type LaneActivities,
  type LaneRecord,
  type PlanOutcome,
  type Presentation,
  type Presented,
  type StoredLane,
  type TerraformActivities,
  type TerraformEnd,
  type TerraformResult,
} from '@nereid/contracts';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { aPlan } from '@nereid/github/testing';

/** Presentations without a check run get a new one, as GitHub does. */
type CheckRuns = Map<string, Presentation>;

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
  answer: (presentation: Presentation) => Exclude<Presented, { kind: 'presented' }> | undefined = () => undefined;
  /** Every check run that was sent, batch by batch. */
  readonly sent: (readonly Presentation[])[] = [];
  /** How many are under way, and the most that were together. */
  readonly batches = { underWay: 0, atOnce: 0 };
  /** Check runs wait here until GitHub answers, if it is set. */
  silence: Promise<unknown> | undefined;
  readonly audits: AuditEvent[] = [];
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
    restoreLane: async (_repository, _rootName, shown, awaited) => {
      const why = this.down.storage ? 'storage is down' : this.whyUnreadable();
      if (why === undefined) return { kind: 'restored', stored: this.stored };
      if (why === shown || awaited === 'record') throw new Error(why);
      return { kind: 'unreadable', why };
    },
    storeLane: async (record, ifVersion) => {
      this.refuseIf('storage');
      const version = this.stored?.version ?? null;
      if (version !== ifVersion || this.whyUnreadable() !== undefined)
        throw ApplicationFailure.nonRetryable('the record is another one', 'RECORD_CONFLICT');
      this.stored = { record, version: String(Number(version ?? 0) + 1) };
      if (record.running !== undefined) this.happened.push(`stored ${record.running.revision.sha}`);
      return this.stored.version;
    },
    storeDeployment: async ({ deployment }) => {
      this.refuseIf('storage');
      this.kept.push(deployment);
    },
    compareRevisions: async (_repository, _base, head) => {
      this.refuseIf('compare');
      return this.comparisons.get(head) ?? this.comparison;
    },
    listContained: async (_repository, head, shas) => {
      this.refuseIf('git');
      return shas.filter((sha) => sha <= head);
    },
    presentCheckRuns: async (_repository, presentations) => {
      this.sent.push(presentations);
      this.batches.underWay += 1;
      this.batches.atOnce = Math.max(this.batches.atOnce, this.batches.underWay);
      await this.silence;
      this.batches.underWay -= 1;
      this.refuseIf('checkRuns');
      return presentations.map((presentation) => this.present(presentation));
    },
    awaitTerraform: (deploymentId) => this.awaitTerraform(deploymentId),
    recordAudit: async (event) => {
      this.audits.push(event);
    },
    deleteKeptPlan: () => Promise.resolve(),
    isHostAlive: () => Promise.resolve(false),
    whyNoHost: () => Promise.resolve('Waiting for a host'),
    signalLane: async (repository, rootName, state) => {
      const lane = this.client.workflow.getHandle(laneWorkflowId(repository, rootName));
      await lane.signal(MESSAGE.terraformState, state);
    },
  };

  readonly claims: ClaimActivities = { claimHost: async () => ({ hostId: 'host-1' }) };

  readonly host: HostActivities = {
    planOnHost: async ({ revision }): Promise<PlanOutcome> => {
      this.happened.push(`planned ${revision.sha}`);
      await this.waitWhileHeld();
      const { digest, summary } = aPlan();
      return { kind: 'planned', hasChanges: this.hasChanges, digest, summary };
    },
    applyOnHost: async ({ revision }) => {
      this.happened.push(`applied ${revision.sha}`);
      return this.applyOutcome;
    },
    inspectApply: async () => this.applyOutcome,
    cleanUpHost: () => Promise.resolve(),
  };

  private whyUnreadable(): string | undefined {
    return typeof this.unreadable === 'function' ? this.unreadable() : this.unreadable;
  }

  private refuseIf(part: keyof typeof this.down): void {
    if (this.down[part]) throw new Error(`${part} is down`);
  }

  private present(presentation: Presentation): Presented {
    const { id, checkRuns } = presentation.deployment;
    const not = this.answer(presentation);
    if (not !== undefined) return not;
    this.checkRuns.set(id, presentation);
    const checkRun = checkRuns.at(-1) ?? { id: this.checkRuns.size, completed: false };
    return { deploymentId: id, kind: 'presented', checkRuns: [checkRun] };
  }

  private async waitWhileHeld(): Promise<void> {
    const beat = keepBeating();
    try {
      await Promise.race([this.held?.promise, Context.current().cancelled]);
    } finally {
      clearInterval(beat);
    }
  }

  private async awaitTerraform(deploymentId: string): Promise<TerraformEnd> {
    const { cancelled } = Context.current();
    const beat = keepBeating();
    try {
      const end = this.client.workflow
        .getHandle(deploymentId)
        .result()
        .then(
          (result): TerraformEnd => ({ kind: 'ended', result: result as TerraformResult }), // Its contract.
          (error: unknown): TerraformEnd => ({
            kind: error instanceof WorkflowNotFoundError ? 'not-there' : 'closed',
          }),
        );
      return await Promise.race([end, cancelled]);
    } finally {
      clearInterval(beat);
    }
  }
}

/** A cancellation is delivered with the answer to a heartbeat. */
const HEARTBEAT_MS = 50;

function keepBeating(): NodeJS.Timeout {
  const context = Context.current();
  return setInterval(() => context.heartbeat(), HEARTBEAT_MS);
}
