/**
 * Runs workflows step by step in turn in one context, as a worker does that has many. The steps are those of recorded histories: what
 * the worker's Core hands to a workflow, and the commands that the workflow answers.
 */
import { ReusableVMWorkflow, ReusableVMWorkflowCreator } from '@temporalio/worker/lib/workflow/reusable-vm.js';
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js';
import { replayRecorded, type RecordedHistory } from './recorded-histories.ts';

type Creation = Parameters<typeof ReusableVMWorkflowCreator.create>;
type CreateOptions = Parameters<ReusableVMWorkflowCreator['createWorkflow']>[0];
type Activation = Parameters<ReusableVMWorkflow['activate']>[0];

/** What one workflow did, alone in its context. */
export interface Tape {
  readonly name: string;
  readonly options: CreateOptions;
  readonly steps: readonly Step[];
}

interface Step {
  readonly activation: Activation;
  readonly answer: string;
}

export interface Tapes {
  readonly all: readonly Tape[];
  /** How contexts are made. All share it, because it has the code of the workflows and where each line of it comes from. */
  readonly creation: Creation;
}

/** Replays each history in a context of its own. */
export async function recordAlone(histories: readonly RecordedHistory[], bundle: string): Promise<Tapes> {
  const { creation, replayed } = await replayTogether(histories, bundle);
  const all: Tape[] = [];
  for (const [index, { options, activations }] of replayed.entries()) {
    const answers: string[] = [];
    await inContext(creation, async (creator) => {
      const { activate, workflow } = await begin(creator, options, 0);
      for (const activation of activations) answers.push(await activate(activation));
      await workflow.dispose();
    });
    const steps = activations.map((activation, step) => ({ activation, answer: answers[step] ?? '' }));
    all.push({ name: histories[index]?.name ?? '', options, steps });
  }
  return { all, creation };
}

interface Replay {
  readonly options: CreateOptions;
  readonly activations: Activation[];
}

/** One worker replays all, one after the other: what its Core hands to them. */
async function replayTogether(histories: readonly RecordedHistory[], bundle: string) {
  /* eslint-disable @typescript-eslint/unbound-method -- each is called with the object that the SDK calls it on */
  const { create } = ReusableVMWorkflowCreator;
  const { createWorkflow } = ReusableVMWorkflowCreator.prototype;
  const { activate } = ReusableVMWorkflow.prototype;
  /* eslint-enable @typescript-eslint/unbound-method */
  let creation: Creation | undefined;
  const replayed: Replay[] = [];
  ReusableVMWorkflowCreator.create = function (...made: Creation) {
    creation = made;
    return create.apply(this, made);
  } as typeof create;
  ReusableVMWorkflowCreator.prototype.createWorkflow = function (options) {
    replayed.push({ options, activations: [] });
    return createWorkflow.call(this, options);
  };
  ReusableVMWorkflow.prototype.activate = function (activation) {
    // Two states of one run have its id.
    replayed.at(-1)?.activations.push(activation);
    return activate.call(this, activation);
  };
  try {
    const failures = [...(await replayRecorded(histories, bundle)).values()].filter((error) => error !== undefined);
    if (failures.length > 0) throw new AggregateError(failures, 'expected every workflow to replay');
  } finally {
    ReusableVMWorkflowCreator.create = create;
    ReusableVMWorkflowCreator.prototype.createWorkflow = createWorkflow;
    ReusableVMWorkflow.prototype.activate = activate;
  }
  if (creation === undefined || replayed.length !== histories.length)
    throw new Error(`expected ${histories.length} workflows, found ${replayed.length}: the SDK makes them otherwise`);
  return { creation, replayed };
}

/** Takes a step of each in turn until none has any left. Returns the names of those that answered otherwise than alone. */
export async function runInterleaved(creation: Creation, tapes: readonly Tape[]): Promise<readonly string[]> {
  const others: string[] = [];
  await inContext(creation, async (creator) => {
    const runs = await Promise.all(
      tapes.map(async (tape, index) => ({ tape, ...(await begin(creator, tape.options, index)) })),
    );
    const most = Math.max(...tapes.map(({ steps }) => steps.length));
    for (let index = 0; index < most; index += 1) {
      for (const { tape, activate } of runs) {
        const step = tape.steps[index];
        if (step && (await activate(step.activation)) !== step.answer) others.push(`${tape.name}, step ${index}`);
      }
    }
    for (const { workflow } of runs) await workflow.dispose();
  });
  return others;
}

async function inContext(
  creation: Creation,
  run: (creator: ReusableVMWorkflowCreator) => Promise<void>,
): Promise<void> {
  const creator = await ReusableVMWorkflowCreator.create(...creation);
  try {
    await run(creator);
  } finally {
    await creator.destroy();
    globalHandlers.uninstall();
  }
}

/** In the context, each has a run id of its own. What it answers is compared as if it had the recorded one. */
async function begin(creator: ReusableVMWorkflowCreator, options: CreateOptions, index: number) {
  const { info } = options;
  const runId = `${info.runId}#${index}`;
  const workflow = await creator.createWorkflow({ ...options, info: { ...info, runId } });
  const activate = async (activation: Activation) =>
    textOf(await workflow.activate(activation)).replaceAll(runId, info.runId);
  return { workflow, activate };
}

/** Without the stacks of failures. */
function textOf(answer: unknown): string {
  return JSON.stringify(answer, (key, value: unknown) => {
    if (key === 'stackTrace') return undefined;
    return ArrayBuffer.isView(value) ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString() : value;
  });
}
