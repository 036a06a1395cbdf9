/** Replays the histories of workflows: code that decides otherwise than a history would leave its workflow stuck for good. */
import { WORKFLOW } from '@nereid/domain/temporal-names';
import { Client, Connection, type WorkflowClient } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { Worker, type ReplayWorkerOptions, type WorkflowBundleOption } from '@temporalio/worker';
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js';
import { fileURLToPath } from 'node:url';
import { bundleWorkflows } from './bundle-workflows.ts';
import { installQuietRuntime } from './quiet-runtime.ts';

export interface Replayed {
  readonly workflows: number;
  /** For each workflow that decides otherwise than its history: its id and the error. */
  readonly failures: readonly string[];
}

const WORKFLOWS = fileURLToPath(new URL('../../../../workflows/src/index.ts', import.meta.url));

/** Replays all histories of the server at `address`, as its workers wrote them, with the workflows of this checkout. */
export async function replayHistories(address: string, dataConverter: DataConverter): Promise<Replayed> {
  installQuietRuntime({ showsErrors: true });
  return await replay({ address, dataConverter }, { code: await bundleWorkflows(WORKFLOWS) });
}

/** For a page of a history: a lane with a thousand waiting deployments stores a megabyte at a time. gRPC's default is 4 MiB. */
const PAGE_BYTES = 64 * 1_024 * 1_024;

export interface Histories {
  readonly address: string;
  readonly namespace?: string;
  /** Of the workers that wrote them; default: the SDK's own, as in workflow tests. */
  readonly dataConverter?: DataConverter;
}

/** Replays all histories of a namespace. */
export async function replay(
  { address, namespace = 'default', dataConverter = {} }: Histories,
  workflowBundle: WorkflowBundleOption,
): Promise<Replayed> {
  const channelArgs = { 'grpc.max_receive_message_length': PAGE_BYTES };
  const connection = await Connection.connect({ address, channelArgs });
  try {
    return await replayAll(new Client({ connection, namespace }).workflow, { workflowBundle, dataConverter });
  } finally {
    await connection.close();
  }
}

/** Selects the product's workflows, because tests have workflows of their own. */
const OURS = `WorkflowType IN (${Object.values(WORKFLOW)
  .map((type) => `'${type}'`)
  .join(', ')})`;

async function replayAll(
  workflow: WorkflowClient,
  options: Pick<ReplayWorkerOptions, 'workflowBundle' | 'dataConverter'>,
): Promise<Replayed> {
  const histories = workflow.list({ query: OURS }).intoHistories({ concurrency: 5 });
  let workflows = 0;
  const failures: string[] = [];
  try {
    for await (const { workflowId, error } of Worker.runReplayHistories(options, histories)) {
      workflows += 1;
      if (error) failures.push(`${workflowId}: ${error.message}`);
    }
  } finally {
    // A replay runs in this thread and leaves a hook on every promise of it. In the test files that come later, the hook
    // meets promises of the file before, whose globals are gone, and throws.
    globalHandlers.uninstall();
  }
  return { workflows, failures };
}
