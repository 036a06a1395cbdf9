/** The lane of a root, which really runs. */
import type { Deployment } from '@nereid/domain/deployment';
import { laneWorkflowId, type LaneRecord, type LaneView } from '@nereid/domain/lane';
import { DEFAULT_POOL, type Repository } from '@nereid/domain/root';
import { MESSAGE, WORKFLOW } from '@nereid/domain/temporal-names';
import { openObjectStore, RecordConflictError } from '@nereid/storage';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { WorkerContext } from '../../platform/context.ts';
import { signalLane } from '../../lane/signal-lane.ts';
import { laneStart } from '../../lane/start-lane.ts';
import { queryAgain } from '../../platform/temporal/testing/query-again.ts';
import { asOrdered } from '../../testing/test-signatures.ts';

export class StagedLane {
  readonly id: string;
  private readonly context: WorkerContext;
  private readonly repository: Repository;
  private readonly rootName: string;

  constructor(context: WorkerContext, repository: Repository, rootName: string) {
    this.id = laneWorkflowId(repository, rootName);
    this.context = context;
    this.repository = repository;
    this.rootName = rootName;
  }

  /** Starts it as a record says. */
  async start(record: Partial<LaneRecord>): Promise<void> {
    await this.record(record);
    await this.context.temporal.workflow.start(WORKFLOW.deploy, laneStart(this.repository, this.rootName));
  }

  /** Its run is ended by force, and with it what it remembers besides its record. */
  async forgetsItsRun(): Promise<void> {
    await this.context.temporal.workflow.getHandle(this.id).terminate();
  }

  /** Everything that the branch has by now was there before the root's first deployment. */
  async beginsAfter(since: string): Promise<void> {
    await this.context.laneTurns.change(this.repository, this.rootName, (turn) => Promise.resolve({ ...turn, since }));
  }

  /** This deployment got permission to apply. */
  async mayApply(deployment: Deployment, pool = DEFAULT_POOL): Promise<void> {
    const last = { deployment, pool, at: deployment.receivedAt, jobIds: ['job'] };
    const { laneTurns } = this.context;
    await laneTurns.change(this.repository, this.rootName, (turn) => Promise.resolve({ ...turn, last }));
  }

  /** This deployment got permission to apply, and its apply ended so. */
  async applied(deployment: Deployment, kind: 'applied' | 'failed'): Promise<void> {
    const { begunApplies } = this.context;
    const { id } = deployment;
    await this.mayApply(deployment);
    await begunApplies.of(DEFAULT_POOL).begin(id, { hostId: 'host', jobId: 'job' });
    const counts = { added: 1, changed: 0, destroyed: 0, imported: 0 };
    const failure = { body: { summary: 'Quota', lines: [] } };
    await begunApplies.of(DEFAULT_POOL).complete(id, kind === 'applied' ? { kind, counts } : { kind, failure });
  }

  /** What storage says of it; no lane runs. */
  async record(record: Partial<LaneRecord>): Promise<void> {
    const { context, repository, rootName } = this;
    const nothing = { manual: [], merged: [], seen: { requestIds: [], merges: [] } };
    const writer = { runId: 'an earlier run', sequence: 1 };
    const lane: LaneRecord = { version: 1, repository, rootName, ...nothing, writer, ...record };
    const { running, manual, merged, ended = [] } = lane;
    const deployments = {
      ...(running && { running: await asOrdered(repository, running) }),
      manual: await Promise.all(manual.map((one) => asOrdered(repository, one))),
      merged: await Promise.all(merged.map((one) => asOrdered(repository, one))),
      ended: await Promise.all(ended.map((one) => asOrdered(repository, one))),
    };
    for (;;) {
      const version = (await context.laneRecords.read(repository, rootName))?.version ?? null;
      try {
        await context.laneRecords.write({ ...lane, ...deployments }, version);
        return;
      } catch (error) {
        // A lane that still runs stored itself in between.
        if (!(error instanceof RecordConflictError)) throw error;
      }
    }
  }

  /** Changes its record without anybody's signature. */
  async forge(change: (record: LaneRecord) => LaneRecord): Promise<void> {
    const { laneRecords } = this.context;
    const stored = await laneRecords.read(this.repository, this.rootName);
    if (stored === undefined) throw new Error(`expected a record of ${this.id}, found none`);
    await laneRecords.write(change(stored.record), stored.version);
  }

  /** Replaces its record with this text. Returns a function that mends the record. */
  async breakRecord(body: string): Promise<() => Promise<void>> {
    const { owner, name } = this.repository;
    const key = `lanes/${owner}/${name}/${this.rootName}.json`;
    const { storage } = this.context.server.current();
    const store = await openObjectStore(storage.deployments, storage);
    const sound = await store.get(key);
    await store.put(key, Buffer.from(body));
    return async () => {
      await (sound === undefined ? store.delete(key) : store.put(key, sound.body));
      store.close();
    };
  }

  /** The names of the signals that its present run got. */
  async signals(): Promise<readonly string[]> {
    const { events } = await this.context.temporal.workflow.getHandle(this.id).fetchHistory();
    return (events ?? []).flatMap(({ workflowExecutionSignaledEventAttributes: signal }) => signal?.signalName ?? []);
  }

  /** Returns once it has this many, with all that it was given, the running one first. */
  async holds(count: number): Promise<readonly Deployment[]> {
    return allOf(await this.once(`has ${count} deployments`, (view) => allOf(view).length === count));
  }

  /** Returns once it waits for this. */
  async waitsFor(part: string): Promise<LaneView> {
    return this.once(`waits for ${part}`, ({ waitsFor }) => waitsFor?.includes(part) === true);
  }

  /** The reconciler says that this deployment's workflow was ended by force. */
  async hearsOfLost({ id }: Pick<Deployment, 'id'>): Promise<void> {
    const progress = { status: 'cancelled', times: { cancelled: new Date().toISOString() }, jobs: {} } as const;
    const body = { version: 1, deploymentId: id, progress, isClosed: true } as const;
    await signalLane(this.context, this.repository, this.rootName, { name: MESSAGE.deploymentEnded, body });
  }

  /** Returns once its record knows what it accepted. */
  async isStored(): Promise<void> {
    const deadline = Date.now() + SO_WITHIN_MS;
    while (
      ((await this.context.laneRecords.read(this.repository, this.rootName))?.record.seen.merges ?? []).length === 0
    ) {
      if (Date.now() > deadline) throw new Error(`expected a record of ${this.id} with a merge, found none`);
    }
  }

  /** Undefined when the lane was never started. */
  async view(): Promise<LaneView | undefined> {
    try {
      return await queryAgain<LaneView>(this.context.temporal.workflow.getHandle(this.id), MESSAGE.lane);
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return undefined;
      throw error;
    }
  }

  /** Returns once this deployment runs. */
  async runs(deploymentId: string): Promise<void> {
    await this.once(`runs ${deploymentId}`, ({ running }) => running?.id === deploymentId);
  }

  /** Everything that it was given, the running one first, once it has read its record. */
  async deployments(): Promise<readonly Deployment[]> {
    return allOf(await this.once('has deployments', (view) => allOf(view).length > 0));
  }

  private async once(what: string, isSo: (view: LaneView) => boolean): Promise<LaneView> {
    const deadline = Date.now() + SO_WITHIN_MS;
    for (;;) {
      const view = await this.view();
      if (view && isSo(view)) return view;
      if (Date.now() > deadline) throw new Error(`expected that ${this.id} ${what}, found ${JSON.stringify(view)}`);
    }
  }
}

function allOf({ running, waiting, ended }: LaneView): readonly Deployment[] {
  return [...(running ? [running] : []), ...waiting, ...ended];
}

/** Lanes go on within a second; only what hangs takes minutes. */
const SO_WITHIN_MS = 120_000;
