import { generateKeyPairSync } from 'node:crypto';
import { spawn, type ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { CONTROL_QUEUE } from '@nereid/domain/temporal-names';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { createWorkflowEnvironment, type WorkflowEnvironment } from '@nereid/test-kit/workflow-environment';
import { KEY_VARIABLES, SEAL_VARIABLES } from './testing/test-signatures.ts';

const NOBODY_LISTENS = '127.0.0.1:9';

let environment: WorkflowEnvironment;
const folder = folderOfEachTest();
let worker: ChildProcess | undefined;

beforeEach(async () => {
  environment = await createWorkflowEnvironment();
});

afterEach(async () => {
  if (worker) await stop(worker);
  await environment.close();
});

test("/metrics has Temporal's SDK in it: tasks, slots, pollers and the sticky cache, in seconds", async () => {
  worker = await start({ METRICS_ADDRESS: '127.0.0.1:0' });
  const metricsUrl = await metricsUrlOf(worker);
  // A workflow that nobody knows is answered with a failed task, and a failed task is what operators look for.
  await environment.client.workflow.start('unknown', { workflowId: 'w', taskQueue: CONTROL_QUEUE });

  const text = await untilSeen(metricsUrl, 'temporal_workflow_task_execution_failed_total');

  await environment.client.workflow.getHandle('w').terminate();
  for (const name of WATCHED) expect(text).toContain(`# TYPE ${name} `);
  expect(text).toContain('# TYPE process_cpu_seconds_total ');
});

/** Those of `apps/docs/reference/metrics.md`. */
const WATCHED = [
  'temporal_workflow_task_execution_failed_total',
  'temporal_workflow_task_schedule_to_start_latency_seconds',
  'temporal_worker_task_slots_available',
  'temporal_sticky_cache_size',
];

async function start(variables: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const server = join(folder, 'server.yaml');
  const storage = `{ deployments: "file:${folder}", plans: "file:${folder}", logs: "file:${folder}" }`;
  await writeFile(server, `repositories: [{ match: acme/* }]\nstorage: ${storage}\n`);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const env = {
    GITHUB_API_URL: `http://${NOBODY_LISTENS}`,
    GITHUB_APP_ID: '7',
    GITHUB_APP_PRIVATE_KEY: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    ...KEY_VARIABLES,
    ...SEAL_VARIABLES,
    DATA_DIR: join(folder, 'data'),
    WORK_DIR: join(folder, 'work'),
    NEREID_CONFIG: server,
    TEMPORAL_ADDRESS: environment.address,
    TEMPORAL_NAMESPACE: environment.namespace,
    WORKER_ADDRESS: '127.0.0.1:0',
    WORKER_ROLES: 'control',
    ...variables,
  };
  const main = fileURLToPath(new URL('main.ts', import.meta.url));
  return spawn(process.execPath, [main, '--workflows', environment.bundle], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function stop(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('close', resolve));
  if (child.exitCode === null) child.kill('SIGTERM');
  else return;
  await gone;
}

/** From the line of the log that says so. */
async function metricsUrlOf({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('expected a process with pipes');
  const lines: string[] = [];
  for await (const line of createInterface({ input: stdout })) {
    lines.push(line);
    const address = /"metrics":"(?<address>[^"]+)"/.exec(line)?.groups?.['address'];
    if (address === undefined) continue;
    stdout.resume();
    return `http://${address}/metrics`;
  }
  throw new Error(`expected the worker to say where its metrics are, found ${lines.join('\n')}`);
}

/** The answer that has this metric; what hangs ends with the test's limit. */
async function untilSeen(url: string, name: string): Promise<string> {
  for (;;) {
    const text = await (await fetch(url)).text();
    if (text.includes(name)) return text;
    await sleep(100);
  }
}
