/** Replays what workflows have done: code that decides otherwise than it did would stop them for good after a restart. */
import { WORKFLOW } from '@nereid/contracts';
import { Client, Connection, type WorkflowClient } from '@temporalio/client';
import { Worker, type WorkflowBundleOption } from '@temporalio/worker';
import { fileURLToPath } from 'node:url';
import { bundleWorkflows } from './bundle-workflows.ts';
import { installQuietRuntime } from './quiet-runtime.ts';

export interface Replayed {
  readonly workflows: number;
  /** Of each that decides otherwise now, its id and where. */
  readonly failures: readonly string[];
}

const WORKFLOWS = fileURLToPath(new URL('../../../../workflows/src/index.ts', import.meta.url));

/** All histories of the server at `address`, with the workflows as they are in this checkout. */
export async function replayHistories(address: string): Promise<Replayed> {
  installQuietRuntime();
  return await replay({ address }, { code: await bundleWorkflows(WORKFLOWS) });
}

/** A page of a history: a lane with a thousand waiting deployments stores a megabyte at a time. gRPC's own limit is 4 MiB. */
const PAGE_BYTES = 64 * 1_024 * 1_024;

/** All histories of a namespace. */
export async function replay(
  { address, namespace = 'default' }: { readonly address: string; readonly namespace?: string },
  workflowBundle: WorkflowBundleOption,
): Promise<Replayed> {
  const channelArgs = { 'grpc.max_receive_message_length': PAGE_BYTES };
  const connection = await Connection.connect({ address, channelArgs });
  try {
    return await replayAll(new Client({ connection, namespace }).workflow, workflowBundle);
  } finally {
    await connection.close();
  }
}

/** Tests have workflows of their own. */
const OURS = `WorkflowType IN (${Object.values(WORKFLOW)
  .map((type) => `'${type}'`)
  .join(', ')})`;

async function replayAll(workflow: WorkflowClient, workflowBundle: WorkflowBundleOption): Promise<Replayed> {
  const histories = workflow.list({ query: OURS }).intoHistories({ concurrency: 5 });
  let workflows = 0;
  const failures: string[] = [];
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, histories)) {
    workflows += 1;
    if (error) failures.push(`${workflowId}: ${error.message}`);
  }
  return { workflows, failures };
}
