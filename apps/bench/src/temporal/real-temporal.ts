/** The whole stack on Temporal as companies run it: a server on PostgreSQL. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stack } from '@nereid/local/stack';
import { openTemporalOnPostgres } from '@nereid/test-kit/temporal-on-postgres';
import { withStack, type WithStackOptions } from '../deployments/with-stack.ts';

export interface RealTemporal {
  readonly stack: Stack;
  /** MiB of PostgreSQL's files. */
  diskMib(): Promise<number>;
}

export async function withRealTemporal<T>(
  options: Omit<WithStackOptions, 'startTemporal'>,
  measure: (real: RealTemporal) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'nereid-bench-postgres-'));
  try {
    const report = (line: string) => void process.stderr.write(`${line}\n`);
    await using temporal = await openTemporalOnPostgres({ env: options.env, folder, report });
    return await withStack({ ...options, startTemporal: (place) => temporal.startServer(place) }, (stack) =>
      measure({ stack, diskMib: () => mibOf(temporal.dataFolder) }),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const MIB = 1_024 * 1_024;

/** Files come and go meanwhile. */
async function mibOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        (found) => (found.isFile() ? found.size : 0),
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / MIB;
}
