import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { defined } from '@nereid/domain/defined';
import type { PlanSummary } from '@nereid/domain/plan';
import { hasErrorCode } from '@nereid/subprocess';
import { sensitiveValues } from './sensitive-values.ts';
import { failedChecks, isWithoutCode, PlanJson, summarisePlan, typesIn } from './plan-summary.ts';

/** Below this, reading takes a few milliseconds; a thread takes 50 to start. */
const IN_PLACE_BYTES = 256 * 1024;

/** The largest JSON plan that we know of has 50 MiB. A larger one fails: nothing is applied that nobody can be shown. */
const SIZE_LIMIT_MIB = 64;

/** Parsed JSON takes about six times the memory of its text. A plan that needs more ends its thread, not the worker. */
const THREAD_HEAP_MB = 640;

export type PlanRead =
  | {
      readonly kind: 'read';
      readonly summary: PlanSummary;
      /** As in `failedChecks`. */
      readonly failedChecks: readonly string[];
      /** As in `MadePlan`. */
      readonly types?: readonly string[];
      /** As in `isWithoutCode`. */
      readonly isWithoutCode?: true;
      /** As in `sensitiveValues`. */
      readonly sensitive: readonly string[] | undefined;
    }
  | { readonly kind: 'unreadable'; readonly why: string };

/** Reads the file that `show -json` wrote, without holding up the event loop. Throws the reason of the signal. */
export async function readPlan(file: string, signal: AbortSignal): Promise<PlanRead> {
  const { size } = await stat(file);
  const sizeMib = Math.ceil(size / 1024 ** 2);
  if (sizeMib > SIZE_LIMIT_MIB)
    return unreadable(`expected at most ${SIZE_LIMIT_MIB} MiB of JSON, found ${sizeMib} MiB; split the root`);
  return size <= IN_PLACE_BYTES ? readPlanHere(file) : readInThread(file, signal);
}

/** Reads the file in the calling thread. */
export async function readPlanHere(file: string): Promise<PlanRead> {
  return parsePlan(await readFile(file, 'utf8'));
}

/** The reason why a plan is unreadable never holds a value of the plan. */
export function parsePlan(text: string): PlanRead {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // The error quotes the text, which may hold secrets.
    return unreadable('expected JSON, found something else');
  }
  const parsed = PlanJson.safeParse(json);
  if (parsed.success) {
    const { data: plan } = parsed;
    if (plan.errored) return unreadable('expected a complete plan, found one that ended with an error');
    return {
      kind: 'read',
      summary: summarisePlan(plan),
      failedChecks: failedChecks(plan),
      sensitive: sensitiveValues(json),
      ...defined({ types: typesIn(plan) }),
      ...(isWithoutCode(plan) && { isWithoutCode: true }),
    };
  }
  const [issue] = parsed.error.issues;
  return unreadable(`expected Terraform's JSON plan, found at ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}

async function readInThread(file: string, signal: AbortSignal): Promise<PlanRead> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<PlanRead>();
  const thread = new Worker(path.join(import.meta.dirname, 'read-plan-thread.ts'), {
    workerData: file,
    resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB },
  });
  thread.once('message', resolve).once('error', (error) => {
    if (hasErrorCode(error, 'ERR_WORKER_OUT_OF_MEMORY'))
      resolve(unreadable(`it needs more than ${THREAD_HEAP_MB} MB of memory; split the root`));
    else reject(error);
  });
  const onAbort = () => {
    reject(signal.reason as Error); // Whatever it is, the caller knows the signal.
    void thread.terminate();
  };
  signal.addEventListener('abort', onAbort, { once: true });
  return promise.finally(() => {
    signal.removeEventListener('abort', onAbort);
  });
}

function unreadable(why: string): PlanRead {
  return { kind: 'unreadable', why };
}
