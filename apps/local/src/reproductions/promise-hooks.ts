/**
 * Stack traces of promises cost CPU in every workflow task: the smallest measurement, for a report to Temporal. It needs a server
 * alone:
 *
 *     temporal server start-dev --headless
 *     node apps/local/src/reproductions/promise-hooks.ts [127.0.0.1:7233]
 *
 * `GlobalHandlers.setPromiseHook` of @temporalio/worker (src/workflow/vm-shared.ts) installs `v8.promiseHooks.createHook` in each
 * thread of workflows. For each promise that a workflow makes, the hook makes an `Error`, formats its stack, translates it by
 * the bundle's source map, and keeps it until the promise is settled, for the queries `__stack_trace` and
 * `__enhanced_stack_trace`, which most workflows are never asked. There is no option to leave it out: a worker that wants that has
 * to replace `v8.promiseHooks.createHook` before the SDK finds it, as the second half of the measurement does.
 *
 * It measures in turns, each in a process of its own, the CPU time of a worker with the hook and without it, and prints both and
 * their ratio. An option of `WorkerOptions` would do, or a hook that is installed by the first such query.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';

const ROUNDS = 3;
const WORKFLOWS = 100;
const TIMES = 10;
/** Not measured: code is compiled, and caches fill. */
const WARM_UP = 20;

const OFF = 'data:text/javascript,import{promiseHooks}from"node:v8";promiseHooks.createHook=()=>()=>undefined';

const [address = '127.0.0.1:7233', isMeasured] = process.argv.slice(2);
if (isMeasured === undefined) await compare();
else process.stdout.write(String(await measure()));
// The library's runtime would keep the process.
process.exit(0);

async function compare(): Promise<void> {
  const [withHook, without]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    withHook.push(await inProcess([]));
    without.push(await inProcess(['--import', OFF]));
    const [on = 0, off = 0] = [withHook.at(-1), without.at(-1)];
    process.stdout.write(
      `round ${round + 1}: ${on.toFixed(2)} ms of CPU for each workflow task, without the hook ${off.toFixed(2)}\n`,
    );
  }
  const [on, off] = [median(withHook), median(without)];
  process.stdout.write(
    `medians: ${on.toFixed(2)} ms with the hook, ${off.toFixed(2)} ms without it: ${(on / off).toFixed(2)} times as much\n`,
  );
}

async function inProcess(options: readonly string[]): Promise<number> {
  const argv = [
    '--disable-warning=ExperimentalWarning',
    ...options,
    fileURLToPath(import.meta.url),
    address,
    'measure',
  ];
  return Number((await promisify(execFile)(process.execPath, argv)).stdout);
}

/** Milliseconds of CPU, of all threads of this process, for each workflow task. */
async function measure(): Promise<number> {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const client = new Client({ connection: await Connection.connect({ address }) });
  const workflowsPath = fileURLToPath(new URL('promise-hooks-workflow.ts', import.meta.url));
  const workflowBundle = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
  const taskQueue = `promise-hooks-${process.pid}-${Date.now()}`;
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({ connection, taskQueue, workflowBundle });

  const run = async (count: number, prefix: string): Promise<void> => {
    const ids = Array.from({ length: count }, (_, index) => `${taskQueue}-${prefix}-${index}`);
    await Promise.all(
      ids.map((workflowId) => client.workflow.execute('wait', { taskQueue, workflowId, args: [TIMES] })),
    );
  };
  return worker.runUntil(async () => {
    await run(WARM_UP, 'warm-up');
    const before = process.cpuUsage();
    await run(WORKFLOWS, 'measured');
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000 / (WORKFLOWS * (TIMES + 1));
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
