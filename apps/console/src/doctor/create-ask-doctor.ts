import type { Diagnosis } from '@nereid/api';
import { diagnose, type Check } from '@nereid/doctor';
import type { ReadWorkers } from './read-workers.ts';

/** The findings of the console's own checks, and of the workers' checks of themselves. Never throws. */
export type AskDoctor = () => Promise<Diagnosis>;

/** How long an answer serves everybody: the checks ask services that others wait for. */
const SERVES_MS = 5_000;

/** Runs the checks once at a time, however many people ask. */
export function createAskDoctor(checks: readonly Check[], readWorkers: ReadWorkers): AskDoctor {
  let asking: Promise<Diagnosis> | undefined;
  let last: { readonly diagnosis: Diagnosis; readonly until: number } | undefined;
  return () => {
    if (last && performance.now() < last.until) return Promise.resolve(last.diagnosis);
    asking ??= ask(checks, readWorkers).then((diagnosis) => {
      last = { diagnosis, until: performance.now() + SERVES_MS };
      asking = undefined;
      return diagnosis;
    });
    return asking;
  };
}

async function ask(checks: readonly Check[], readWorkers: ReadWorkers): Promise<Diagnosis> {
  const [{ examined, ...diagnosis }, workers] = await Promise.all([diagnose('console', checks), readWorkers()]);
  return {
    ...diagnosis,
    examined: [...examined],
    at: new Date().toISOString(),
    ...(workers ? { workers } : { workersUnread: true as const }),
  };
}
