/**
 * Outcomes of applies that ended on this host, on its disk, for a day. The deployment is cleaned up behind its answer, which
 * may not reach Temporal: whoever asks then what became of the apply, of the next worker too, hears it from here.
 */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApplyOutcome } from '@nereid/contracts';
import { hasErrorCode } from '@nereid/subprocess';
import type { Logger } from 'pino';

export interface Outcomes {
  /** Does not fail an apply that is over: what cannot be kept is logged. */
  keep(jobId: string, outcome: ApplyOutcome): Promise<void>;
  find(jobId: string): Promise<ApplyOutcome | undefined>;
  /** Removes what is older than a day. */
  tidy(nowMs: number): Promise<void>;
}

/** Nobody asks later: a host that is away for ten minutes is asked no more. */
const KEPT_MS = 24 * 60 * 60_000;

export function createOutcomes(dir: string, logger: Pick<Logger, 'error'>): Outcomes {
  const fileOf = (jobId: string) => join(dir, `${jobId}.json`);
  return {
    async keep(jobId, outcome) {
      try {
        await mkdir(dir, { recursive: true, mode: 0o700 });
        // On the disk before the tree goes, which has the exit code: the machine may die with the worker.
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
        // What is left of the apply itself is looked at then.
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
