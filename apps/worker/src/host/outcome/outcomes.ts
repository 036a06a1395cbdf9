/**
 * Keeps the outcomes of applies that ended on this host on its disk for a day. A deployment is cleaned up after its answer,
 * which may not reach Temporal: a later question for the outcome, even to the next worker, is answered from here.
 */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApplyOutcome } from '@nereid/domain/deployment';
import { hasErrorCode } from '@nereid/subprocess';
import type { Logger } from 'pino';

export interface Outcomes {
  /** Does not fail an apply that is over: a write error is logged. */
  keep(jobId: string, outcome: ApplyOutcome): Promise<void>;
  find(jobId: string): Promise<ApplyOutcome | undefined>;
  /** Removes outcomes that are older than a day. */
  tidy(nowMs: number): Promise<void>;
}

/** Nobody asks later: workflows give up on a host that is away for ten minutes. */
const KEPT_MS = 24 * 60 * 60_000;

export function createOutcomes(dir: string, logger: Pick<Logger, 'error'>): Outcomes {
  const fileOf = (jobId: string) => join(dir, `${jobId}.json`);
  return {
    async keep(jobId, outcome) {
      try {
        await mkdir(dir, { recursive: true, mode: 0o700 });
        // Flushed before the folder with the exit code is removed: the machine may die with the worker.
        await writeFile(`${fileOf(jobId)}.new`, JSON.stringify(outcome), { mode: 0o600, flush: true });
        await rename(`${fileOf(jobId)}.new`, fileOf(jobId));
      } catch (error) {
        logger.error({ err: error, job: jobId }, 'the outcome of an apply could not be kept on this disk');
      }
    },
    async find(jobId) {
      try {
        return JSON.parse(await readFile(fileOf(jobId), 'utf8')) as ApplyOutcome; // Only `keep` writes there.
      } catch (error) {
        // The caller then looks at the files of the apply itself.
        if (!hasErrorCode(error, 'ENOENT')) logger.error({ err: error, job: jobId }, 'a kept outcome cannot be read');
        return undefined;
      }
    },
    async tidy(nowMs) {
      for (const name of await namesIn(dir)) {
        const file = join(dir, name);
        const found = await stat(file).catch(() => undefined);
        if (found !== undefined && found.mtimeMs < nowMs - KEPT_MS) await rm(file, { force: true });
      }
    },
  };
}

async function namesIn(dir: string): Promise<readonly string[]> {
  try {
    return await readdir(dir);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
}
