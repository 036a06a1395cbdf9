/** A worker examines itself again and again while it runs, so that one page of the console has what all of them found. */
import { setTimeout as pause } from 'node:timers/promises';
import { diagnose, type Check } from '@nereid/doctor';
import type { WorkerDiagnoses } from '@nereid/storage';
import type { Logger } from 'pino';

export interface KeepDiagnosisOptions {
  readonly hostId: string;
  readonly roles: readonly string[];
  /** By the server's file as it is then. */
  readonly checks: () => readonly Check[];
  readonly diagnoses: WorkerDiagnoses;
  readonly logger: Pick<Logger, 'warn'>;
  /** For tests. */
  readonly firstAfterMs?: number;
  readonly everyMs?: number;
}

/** The checks of the start have just been made, and a worker that starts has other things to do. */
const FIRST_AFTER_MS = 60_000;

/** The checks take a second or two of a core, and some requests to GitHub and to storage. */
const EVERY_MS = 10 * 60_000;

/** Nobody reads more on a page. */
const EXAMINED_LIMIT = 100;
const FOUND_LIMIT = 2_000;

/** The checks that run, and a store that hangs, must not hold up the stop of a worker. */
const STOP_MS = 2_000;

/** A worker that was killed did not remove its own. */
const FORGOTTEN_AFTER_MS = 24 * 3_600_000;

export interface KeptDiagnosis {
  /** Examines the worker now, and not only in some minutes: something that the checks are about has changed. */
  readonly renew: () => void;
  /** Removes what the checks found. */
  readonly stop: () => Promise<void>;
}

/** Keeps what the checks find until it is stopped. */
export function keepDiagnosis(options: KeepDiagnosisOptions): KeptDiagnosis {
  const { hostId, diagnoses, logger, firstAfterMs = FIRST_AFTER_MS, everyMs = EVERY_MS } = options;
  let isOver = false;
  let examining = Promise.resolve();
  const examine = () => {
    clearTimeout(timer);
    examining = examining
      .then(() => keepOne(options, () => isOver))
      .finally(() => {
        clearTimeout(timer);
        if (!isOver) timer = setTimeout(examine, everyMs).unref();
      });
  };
  let timer = setTimeout(examine, firstAfterMs).unref();

  const end = async () => {
    await examining;
    await diagnoses.remove(hostId);
  };
  return {
    renew: examine,
    stop: async () => {
      isOver = true;
      clearTimeout(timer);
      // One that is not removed is not shown for long either.
      await Promise.race([end(), pause(STOP_MS, undefined, { ref: false })]).catch((error: unknown) => {
        logger.warn({ err: error, host: hostId }, 'what the doctor found could not be removed');
      });
    },
  };
}

async function keepOne(
  { hostId, roles, checks, diagnoses, logger }: KeepDiagnosisOptions,
  isOver: () => boolean,
): Promise<void> {
  try {
    const { examined, tookMs } = await diagnose('worker', checks());
    if (isOver()) return;
    const at = new Date().toISOString();
    const kept = examined.slice(0, EXAMINED_LIMIT).map((one) => ({ ...one, found: one.found.slice(0, FOUND_LIMIT) }));
    await diagnoses.write({ version: 1, hostId, roles, at, tookMs, examined: kept });
    // Hosts may not read what others found.
    if (roles.includes('control')) await forgetTheDead(diagnoses, logger);
  } catch (error) {
    logger.warn({ err: error, host: hostId }, 'what the doctor found could not be kept');
  }
}

async function forgetTheDead(diagnoses: WorkerDiagnoses, logger: Pick<Logger, 'warn'>): Promise<void> {
  const all = await diagnoses.list((err) => {
    logger.warn({ err }, 'what the doctor of a worker found cannot be read, and stays');
  });
  const dead = all.filter(({ at }) => Math.abs(Date.now() - Date.parse(at)) > FORGOTTEN_AFTER_MS);
  await Promise.all(dead.map(({ hostId }) => diagnoses.remove(hostId)));
}
