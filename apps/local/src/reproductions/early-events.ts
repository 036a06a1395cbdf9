/**
 * A query brings events too early: the smallest reproduction, for a report to Temporal. It needs a server alone:
 *
 *     temporal server start-dev --headless
 *     node apps/local/src/reproductions/early-events.ts [127.0.0.1:7233]
 *
 * A query waits for a worker; then a signal arrives, and then the worker starts. If the worker gets the query before the workflow
 * task, the history that comes with the query has the signal already, and Core applies it with the time of the task before. The
 * replay applies it with the time of its own task: whatever the workflow decides by the clock differs, and its history no longer
 * replays. It exits with 1 where a signal was seen before it was sent.
 */
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';

const ROUNDS = 12;
const UNTIL_QUERY_WAITS_MS = 300;

const [address = '127.0.0.1:7233'] = process.argv.slice(2);
Runtime.install({ logger: new DefaultLogger('ERROR') });
const connection = await Connection.connect({ address });
const native = await NativeConnection.connect({ address });
const client = new Client({ connection });
const workflowsPath = fileURLToPath(new URL('early-events-workflow.ts', import.meta.url));
const bundle = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
const taskQueue = `early-events-${Date.now()}`;

async function withWorker<T>(work: () => Promise<T>): Promise<T> {
  return (await Worker.create({ connection: native, taskQueue, workflowBundle: bundle })).runUntil(work);
}

const handle = await client.workflow.start('noteSignals', { workflowId: taskQueue, taskQueue, args: [ROUNDS + 1] });
/** The times that the worker has in memory, once there are so many. */
async function noted(count: number): Promise<readonly number[]> {
  for (;;) {
    const times = await handle.query<readonly number[]>('times');
    if (times.length >= count) return times;
    await pause(50);
  }
}

await withWorker(() => noted(0));
let early = 0;
for (let round = 0; round < ROUNDS; round += 1) {
  const asked = handle.query('times').catch(() => undefined);
  await pause(UNTIL_QUERY_WAITS_MS);
  const sentAt = Date.now();
  await handle.signal('note');
  const live = await withWorker(async () => {
    await asked;
    return noted(round + 1);
  });
  const replayed = await withWorker(() => noted(round + 1));
  const [seen = 0, then = 0] = [live[round], replayed[round]];
  if (seen < sentAt) early += 1;
  process.stdout.write(`signal ${round}: ${seen - sentAt} ms after it was sent; in the replay, ${then - sentAt} ms\n`);
}

await handle.terminate('reproduced');
process.stdout.write(`${early} of ${ROUNDS} signals were seen before they were sent\n`);
await connection.close();
await native.close();
process.exit(early === 0 ? 0 : 1);
