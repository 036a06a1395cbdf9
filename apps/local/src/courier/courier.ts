/** Somebody who reaches Temporal's port, and knows every id and every message that went through it. */
import { fileURLToPath } from 'node:url';
import type { TerraformInput } from '@nereid/domain/deployment';
import { deliveryWorkflowId, requestWorkflowId, type ReceivedEvent } from '@nereid/domain/intake';
import type { Signed } from '@nereid/domain/signed';
import { decodeFirst, UNSEALED } from '@nereid/process';
import { bundleWorkflows } from '@nereid/test-kit/bundle-workflows';
import { Client, Connection, WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { randomUUID } from 'node:crypto';

export interface Courier extends AsyncDisposable {
  signal(workflowId: string, name: string, message: object): Promise<void>;
  /** Starts a workflow of ours, and waits for nothing. It is terminated in the end. */
  start(type: string, taskQueue: string, input: object, workflowId?: string): Promise<void>;
  /** Has a Schedule start a workflow of ours, once. */
  schedule(type: string, taskQueue: string, input: object): Promise<void>;
  /** Completes an activity that is under way on a worker, in that worker's place. */
  complete(workflowId: string, activity: string, result: object): Promise<void>;
  /** Has a workflow do everything again, and returns once it has ended once more. */
  reset(workflowId: string): Promise<void>;
  /** Ends a workflow by force. */
  terminate(workflowId: string): Promise<void>;
  /** Starts a workflow of ours, and returns its result, or the failure that ended it. */
  run(type: string, taskQueue: string, input: object, workflowId?: string): Promise<unknown>;
  /** Has an activity of ours run, and returns its result or the type of its failure. */
  ask(taskQueue: string, activity: string, ...args: readonly unknown[]): Promise<unknown>;
  /** The result of a workflow that runs, once it has ended. */
  resultOf(workflowId: string): Promise<unknown>;
  /** The input with which the deployment's workflow was started. */
  inputOf(deploymentId: string): Promise<TerraformInput>;
  /** The event that intake was given for the delivery. */
  eventOf(delivery: string): Promise<Signed<ReceivedEvent>>;
  /** The event that intake was given for a request from the console. */
  requestOf(id: string): Promise<Signed<ReceivedEvent>>;
  /** The signals with this name that came to the workflow. */
  signalsTo(workflowId: string, name: string): Promise<readonly unknown[]>;
}

const OWN_QUEUE = 'courier';

export async function openCourier(address: string): Promise<Courier> {
  await using opened = new AsyncDisposableStack();
  const connection = await Connection.connect({ address });
  opened.defer(() => connection.close());
  const client = new Client({ connection, dataConverter: UNSEALED });
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const native = await NativeConnection.connect({ address });
  opened.defer(() => native.close());
  const worker = await Worker.create({
    connection: native,
    taskQueue: OWN_QUEUE,
    dataConverter: UNSEALED,
    workflowBundle: { code: await bundleWorkflows(fileURLToPath(import.meta.resolve('./ask.ts'))) },
  });
  const running = worker.run();
  opened.defer(async () => {
    worker.shutdown();
    await running;
  });
  const all = opened.move();

  async function run(type: string, taskQueue: string, args: unknown[], workflowId: string): Promise<unknown> {
    try {
      return await client.workflow.execute<(...input: unknown[]) => Promise<unknown>>(type, {
        taskQueue,
        workflowId,
        args,
      });
    } catch (error) {
      if (error instanceof WorkflowFailedError) return failureOf(error);
      throw error;
    }
  }

  async function eventsOf(workflowId: string) {
    return (await client.workflow.getHandle(workflowId).fetchHistory()).events ?? [];
  }

  async function startedWith(workflowId: string): Promise<unknown> {
    const [started] = await eventsOf(workflowId);
    return decodeFirst(client.options, started?.workflowExecutionStartedEventAttributes?.input);
  }

  async function start(type: string, taskQueue: string, input: object, workflowId: string): Promise<void> {
    const handle = await client.workflow.start<(input: object) => Promise<unknown>>(type, {
      taskQueue,
      workflowId,
      args: [input],
    });
    all.defer(() => handle.terminate().then(ignore, ignore));
  }

  return {
    start: (type, taskQueue, input, workflowId = randomUUID()) => start(type, taskQueue, input, workflowId),
    async schedule(workflowType, taskQueue, input) {
      const action = { type: 'startWorkflow', workflowType, taskQueue, args: [input] } as const;
      const handle = await client.schedule.create({ scheduleId: randomUUID(), spec: {}, action });
      await handle.trigger();
      await handle.delete();
    },
    async complete(workflowId, activity, result) {
      const { raw } = await client.workflow.getHandle(workflowId).describe();
      const pending = raw.pendingActivities?.find(({ activityType }) => activityType?.name === activity);
      await client.activity.complete({ workflowId, activityId: pending?.activityId ?? '' }, result);
    },
    async reset(workflowId) {
      const events = await eventsOf(workflowId);
      const first = events.find(({ workflowTaskCompletedEventAttributes: completed }) => completed);
      await client.workflowService.resetWorkflowExecution({
        namespace: client.options.namespace,
        workflowExecution: { workflowId },
        workflowTaskFinishEventId: first?.eventId ?? null,
        requestId: randomUUID(),
        reason: 'somebody wants it once more',
      });
      await client.workflow.getHandle(workflowId).result().then(ignore, ignore);
    },
    async terminate(workflowId) {
      await client.workflow.getHandle(workflowId).terminate('somebody does not want it');
    },
    signal: (workflowId, name, message) => client.workflow.getHandle(workflowId).signal(name, message),
    run: (type, taskQueue, input, workflowId = randomUUID()) => run(type, taskQueue, [input], workflowId),
    ask: (taskQueue, activity, ...args) => run('ask', OWN_QUEUE, [taskQueue, activity, args], randomUUID()),
    resultOf: (workflowId) => client.workflow.getHandle(workflowId).result(),
    inputOf: async (deploymentId) => (await startedWith(deploymentId)) as TerraformInput, // The lane starts it with that.
    eventOf: async (delivery) => (await startedWith(deliveryWorkflowId(delivery))) as Signed<ReceivedEvent>, // The gateway does.
    requestOf: async (id) => (await startedWith(requestWorkflowId(id))) as Signed<ReceivedEvent>, // The console does.
    async signalsTo(workflowId, name) {
      const events = await eventsOf(workflowId);
      const signals = events
        .map(({ workflowExecutionSignaledEventAttributes: signaled }) => signaled)
        .filter((signaled) => signaled?.signalName === name);
      return Promise.all(signals.map((signaled) => decodeFirst(client.options, signaled?.input)));
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** What is closed already needs no more. */
const ignore = () => undefined;

/** The failure of the activity. Its own causes are about libraries. */
function failureOf(error: Error): Error {
  if (error instanceof ApplicationFailure || !(error.cause instanceof Error)) return error;
  return failureOf(error.cause);
}
