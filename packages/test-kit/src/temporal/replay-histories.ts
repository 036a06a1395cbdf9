/** Replays what workflows have done: code that decides otherwise than it did would stop them for good after a restart. */
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { fileURLToPath } from 'node:url';
import { bundleWorkflows } from './bundle-workflows.ts';

export interface Replayed {
  readonly workflows: number;
  /** Of each that decides otherwise now, its id and where. */
  readonly failures: readonly string[];
}

const WORKFLOWS = fileURLToPath(new URL('../../../../workflows/bundle/src/index.ts', import.meta.url));

/** All histories of a namespace of the server at `address`, with the workflows as they are in this checkout. */
export async function replayHistories(address: string): Promise<Replayed> {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const connection = await Connection.connect({ address });
  try {
    const histories = new Client({ connection }).workflow.list().intoHistories({ concurrency: 5 });
    const workflowBundle = { code: await bundleWorkflows(WORKFLOWS) };
    let workflows = 0;
    const failures: string[] = [];
    for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, histories)) {
      workflows += 1;
      if (error) failures.push(`${workflowId}: ${error.message}`);
    }
    return { workflows, failures };
  } finally {
    await connection.close();
  }
}
