/**
 * Runs workflows step by step in turn in one context, as a worker does that has many. The steps are those of recorded histories: what
 * the worker's Core hands to a workflow, and the commands that the workflow answers.
 */
import { Worker } from '@temporalio/worker';
import { ReusableVMWorkflow, ReusableVMWorkflowCreator } from '@temporalio/worker/lib/workflow/reusable-vm.js';
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js';
import type { RecordedHistory } from './recorded-histories.ts';
import { installQuietRuntime } from './quiet-runtime.ts';

type Creation = Parameters<typeof ReusableVMWorkflowCreator.create>;
type CreateOptions = Parameters<ReusableVMWorkflowCreator['createWorkflow']>[0];
type Activation = Parameters<ReusableVMWorkflow['activate']>[0];

/** What one workflow did, alone in its context. */
export interface Tape {
  readonly name: string;
  readonly options: CreateOptions;
  readonly steps: readonly Step[];
  /** How its context was made. */
  readonly creation: Creation;
}

interface Step {
  readonly activation: Activation;
  readonly answer: string;
}

/** Replays a history in a context of its own. */
export async function recordAlone({ name, history }: RecordedHistory, bundle: string): Promise<Tape> {
  installQuietRuntime({ showsErrors: true });
  /* eslint-disable @typescript-eslint/unbound-method -- each is called with the object that the SDK calls it on */
  const { create } = ReusableVMWorkflowCreator;
  const { createWorkflow } = ReusableVMWorkflowCreator.prototype;
  const { activate } = ReusableVMWorkflow.prototype;
  /* eslint-enable @typescript-eslint/unbound-method */
  const made: { creation?: Creation; options?: CreateOptions } = {};
  const steps: Step[] = [];
  ReusableVMWorkflowCreator.create = function (...creation: Creation) {
    made.creation = creation;
    return create.apply(this, creation);
  } as typeof create;
  ReusableVMWorkflowCreator.prototype.createWorkflow = function (options) {
    made.options = options;
    return createWorkflow.call(this, options);
  };
  ReusableVMWorkflow.prototype.activate = async function (activation) {
    const answer = await activate.call(this, activation);
    steps.push({ activation, answer: textOf(answer) });
    return answer;
  };
  try {
    await Worker.runReplayHistory({ workflowBundle: { codePath: bundle } }, history, name);
  } finally {
    ReusableVMWorkflowCreator.create = create;
    ReusableVMWorkflowCreator.prototype.createWorkflow = createWorkflow;
    ReusableVMWorkflow.prototype.activate = activate;
    globalHandlers.uninstall();
  }
  if (!made.creation || !made.options)
    throw new Error(`expected the replay of ${name} to create a workflow, found none`);
  return { name, creation: made.creation, options: made.options, steps };
}

/** Takes a step of each in turn until none has any left. Returns the names of those that answered otherwise than alone. */
export async function runInterleaved(tapes: readonly Tape[]): Promise<readonly string[]> {
  const [first] = tapes;
  if (!first) return [];
  const creator = await ReusableVMWorkflowCreator.create(...first.creation);
  const others: string[] = [];
  try {
    const runs = await Promise.all(tapes.map((tape, index) => begin(creator, tape, index)));
    const most = Math.max(...tapes.map(({ steps }) => steps.length));
    for (let index = 0; index < most; index += 1) {
      for (const { tape, activate } of runs) {
        const step = tape.steps[index];
        if (step && (await activate(step)) !== step.answer) others.push(`${tape.name}, step ${index}`);
      }
    }
    for (const { workflow } of runs) await workflow.dispose();
  } finally {
    await creator.destroy();
    globalHandlers.uninstall();
  }
  return others;
}

/** In the context, each has a run id of its own. What it answers is compared as if it had the recorded one. */
async function begin(creator: ReusableVMWorkflowCreator, tape: Tape, index: number) {
  const { info } = tape.options;
  const runId = `${info.runId}#${index}`;
  const workflow = await creator.createWorkflow({ ...tape.options, info: { ...info, runId } });
  const activate = async ({ activation }: Step) =>
    textOf(await workflow.activate(activation)).replaceAll(runId, info.runId);
  return { tape, workflow, activate };
}

/** Without the stacks of failures. */
function textOf(answer: unknown): string {
  return JSON.stringify(answer, (key, value: unknown) => {
    if (key === 'stackTrace') return undefined;
    return ArrayBuffer.isView(value) ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString() : value;
  });
}
