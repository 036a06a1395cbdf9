/**
 * A Temporal environment for one file of workflow tests.
 *
 * The dev server and the workflow bundle are made once per run by jest-global-setup.ts. Each environment has a namespace of
 * its own in that server, so that files which run at the same time may use the same workflow ids and the product's queues.
 */
import { defined } from '@nereid/domain/defined';
import { CONTROL_QUEUE, SEARCH_ATTRIBUTE } from '@nereid/domain/temporal-names';
import type { Client, Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker, type NativeConnection, type WorkerOptions } from '@temporalio/worker';
import { randomUUID } from 'node:crypto';
import { installQuietRuntime } from './quiet-runtime.ts';
import { untilSearchable } from './search-attributes.ts';
import { recordHistory } from './recorded-histories.ts';
import { replay } from './replay-histories.ts';
import { bundleOfThisRun, recordingOfThisRun, serverOfThisRun } from './test-run.ts';

export interface WorkflowEnvironment {
  readonly client: Client;
  /** The server's address, for separate connections: two workers of one queue cannot share one. */
  readonly address: string;
  readonly namespace: string;
  readonly nativeConnection: NativeConnection;
  /** The file with the product's workflows, for workers in processes of their own. */
  readonly bundle: string;
  /** Creates a worker in this environment; that of the control queue runs the product's workflows. It logs only errors, and stops at once. */
  createWorker(options: TestWorkerOptions): Promise<Worker>;
  /** The same, and runs it until the environment closes. */
  runWorker(options: TestWorkerOptions): Promise<void>;
  /** In a run of `make record-histories`, records the workflow's history up to this state. */
  record(state: string, workflowId: string): Promise<void>;
  /** Throws when a workflow of this environment cannot be replayed: it would be stuck after a restart. */
  close(): Promise<void>;
}

export type TestWorkerOptions = Pick<
  WorkerOptions,
  | 'activities'
  | 'interceptors'
  | 'maxConcurrentActivityTaskExecutions'
  | 'maxHeartbeatThrottleInterval'
  | 'workflowBundle'
> & {
  readonly taskQueue: string;
};

export interface EnvironmentOptions {
  /** False when the environment has workflows that were begun by other code than the product's. */
  readonly isReplayed?: boolean;
  /** False where a test makes the SDK fail on purpose. */
  readonly showsErrors?: boolean;
}

/** Opens an environment; close it in `afterAll`. Throws when the run has no server: the jest project lacks the global set-up. */
export async function createWorkflowEnvironment({
  isReplayed = true,
  showsErrors = true,
}: EnvironmentOptions = {}): Promise<WorkflowEnvironment> {
  installQuietRuntime({ showsErrors });
  const namespace = `test-${randomUUID()}`;
  const environment = await TestWorkflowEnvironment.createFromExistingServer({ address: serverOfThisRun(), namespace });
  await registerNamespace(environment.connection, namespace);
  const running: Running[] = [];
  return {
    client: environment.client,
    address: serverOfThisRun(),
    namespace,
    nativeConnection: environment.nativeConnection,
    bundle: bundleOfThisRun(),
    createWorker: (options) => createWorker(environment, namespace, options),
    async runWorker(options) {
      const worker = await createWorker(environment, namespace, options);
      running.push({ worker, ended: worker.run() });
    },
    async record(state, workflowId) {
      const folder = recordingOfThisRun();
      if (folder !== undefined) await recordHistory(folder, state, environment.client.workflow.getHandle(workflowId));
    },
    async close() {
      try {
        for (const { worker } of running) worker.shutdown();
        await Promise.all(running.map(({ ended }) => ended));
        if (isReplayed) await assertReplays(namespace);
      } finally {
        await environment.teardown();
      }
    },
  };
}

interface Running {
  readonly worker: Worker;
  readonly ended: Promise<void>;
}

async function assertReplays(namespace: string): Promise<void> {
  const { failures } = await replay({ address: serverOfThisRun(), namespace }, { codePath: bundleOfThisRun() });
  if (failures.length > 0) throw new Error(`expected every workflow to replay, found ${failures.join('\n')}`);
}

/** Longer than any run; the dev server keeps the namespace only in memory. */
const RETENTION = msToTs('1 day');
/** `IndexedValueType` of temporal/api/enums/v1/common.proto. */
const KEYWORD = 2;

async function registerNamespace(connection: Connection, namespace: string): Promise<void> {
  await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: RETENTION });
  const searchAttributes = Object.fromEntries(Object.values(SEARCH_ATTRIBUTE).map((name) => [name, KEYWORD]));
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
  await untilSearchable(connection, namespace);
}

function createWorker(
  { nativeConnection }: TestWorkflowEnvironment,
  namespace: string,
  options: TestWorkerOptions,
): Promise<Worker> {
  // A thread for workflows takes a second to start. As in the product, hosts have none.
  const ours = options.taskQueue === CONTROL_QUEUE ? { codePath: bundleOfThisRun() } : undefined;
  return Worker.create({
    ...{ connection: nativeConnection, namespace, ...options },
    ...defined({ workflowBundle: options.workflowBundle ?? ours }),
  });
}
