/** Replays what workflows have done: code that decides otherwise than it did would stop them for good after a restart. */
import { WORKFLOW } from '@nereid/contracts';
import { Client, Connection, type WorkflowClient } from '@temporalio/client';
import { DefaultLogger, Runtime, Worker, type WorkflowBundleOption } from '@temporalio/worker';
import { fileURLToPath } from 'node:url';
import { bundleWorkflows } from './bundle-workflows.ts';

export interface Replayed {
  readonly workflows: number;
  /** Of each that decides otherwise now, its id and where. */
  readonly failures: readonly string[];
}

const WORKFLOWS = fileURLToPath(new URL('../../../../workflows/bundle/src/index.ts', import.meta.url));

/** All histories of the server at `address`, with the workflows as they are in this checkout. Once in a process. */
export async function replayHistories(address: string): Promise<Replayed> {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const connection = await Connection.connect({ address });
  try {
    return await replay(new Client({ connection }).workflow, { code: await bundleWorkflows(WORKFLOWS) });
  } finally {
    await connection.close();
  }
}

/** Tests have workflows of their own. */
const OURS = `WorkflowType IN (${Object.values(WORKFLOW)
  .map((type) => `'${type}'`)
  .join(', ')})`;

/** All histories of the client's namespace. */
export async function replay(workflow: WorkflowClient, workflowBundle: WorkflowBundleOption): Promise<Replayed> {
  const histories = workflow.list({ query: OURS }).intoHistories({ concurrency: 5 });
  let workflows = 0;
  const failures: string[] = [];
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, histories)) {
    workflows += 1;
    if (error) failures.push(`${workflowId}: ${error.message}`);
  }
  return { workflows, failures };
}
