import { stat } from 'node:fs/promises';
import { runCommand } from '@nereid/subprocess';
import { z } from 'zod';

/** Returns a binary's version; undefined when the binary does not tell one. */
export type VersionOf = (binary: string) => Promise<string | undefined>;

/** Enough for a cold start of a 90 MB binary on a busy machine; it usually takes 30 ms. */
const VERSION_TIMEOUT_MS = 30_000;

const Version = z.object({ terraform_version: z.string() });

/** Asks each binary once: a binary that was replaced has another time or size. */
export function createVersionOf(): VersionOf {
  const known = new Map<string, Promise<string | undefined>>();
  return async (binary) => {
    const { mtimeMs, size } = await stat(binary);
    const key = `${binary} ${mtimeMs} ${size}`;
    const asked = known.get(key) ?? ask(binary);
    known.set(key, asked);
    return asked;
  };
}

async function ask(binary: string): Promise<string | undefined> {
  const result = await runCommand({
    argv: [binary, 'version', '-json'],
    // Without CHECKPOINT_DISABLE it asks its vendor for news first.
    env: { CHECKPOINT_DISABLE: '1' },
    cwd: '/',
    timeoutMs: VERSION_TIMEOUT_MS,
  });
  if (result.kind !== 'exited' || result.exitCode !== 0) return undefined;
  try {
    return Version.parse(JSON.parse(result.stdout)).terraform_version;
  } catch {
    return undefined;
  }
}
