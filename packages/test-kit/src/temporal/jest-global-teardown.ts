import { rm } from 'node:fs/promises';
import type { TemporalServer } from './start-temporal-server.ts';

interface TestRun {
  readonly server: TemporalServer;
  readonly folder: string;
}

/** Jest runs set-up and tear-down in one process, and offers no other way to hand things over. */
const runs: TestRun[] = [];

export function keepUntilTeardown(run: TestRun): void {
  runs.push(run);
}

export default async function tearDown(): Promise<void> {
  for (const { server, folder } of runs.splice(0)) {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
