import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { exists } from '../toolchain/install-once.ts';
import { bundleWorkflows } from './bundle-workflows.ts';
import { findDevServer } from './find-dev-server.ts';
import { startTemporalServer } from './start-temporal-server.ts';
import { announceTestRun } from './test-run.ts';
import { keepUntilTeardown } from './jest-global-teardown.ts';

/** Starts a dev server in memory and bundles the workflows, once per run. */
export default async function setUp(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'nereid-workflow-tests-'));
  const bundle = path.join(folder, 'workflows.js');
  const program = await findDevServer({ env: process.env, report: say });
  const server = await startTemporalServer({
    program,
    logFile: path.join(folder, 'temporal.log'),
    continuedAfterEvents: CONTINUED_AFTER_EVENTS,
  });
  keepUntilTeardown({ server, folder });
  const entry = fileURLToPath(new URL('../../../../workflows/src/index.ts', import.meta.url));
  if (await exists(entry)) await writeFile(bundle, await bundleWorkflows(entry));
  announceTestRun(server.address, bundle);
}

/** Instead of 4,096: a test that is about this limit reaches it within seconds, and no other test does. */
const CONTINUED_AFTER_EVENTS = 500;

/** Building the server may take minutes, so progress is shown; not on stdout, which may be a report for a machine. */
const say = (line: string) => process.stderr.write(`${line}\n`);
