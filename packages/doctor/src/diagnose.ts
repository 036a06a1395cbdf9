import { ConfigurationError } from '@nereid/config';
import type { Check, Diagnosis, Examined, Finding } from './check.ts';
import { fail, failuresOf } from './findings.ts';

/** Longer than any service that works takes to answer, short enough to wait for. */
const CHECK_MS = 10_000;

export interface DiagnoseOptions {
  /** Of each check; default 10 s. */
  readonly limitMs?: number;
}

/** Runs all checks at once. Never throws: a check that does, or that does not end in time, has failed. */
export async function diagnose(
  process: string,
  checks: readonly Check[],
  { limitMs = CHECK_MS }: DiagnoseOptions = {},
): Promise<Diagnosis> {
  const startedAt = performance.now();
  const examined = (await Promise.all(checks.map((check) => examine(check, limitMs)))).flat();
  const isHealthy = examined.every(({ outcome }) => outcome !== 'fail');
  return { process, isHealthy, examined, tookMs: Math.round(performance.now() - startedAt) };
}

async function examine(check: Check, limitMs: number): Promise<readonly Examined[]> {
  const over = new AbortController();
  const { promise: late, resolve } = Promise.withResolvers<Finding>();
  const timer = setTimeout(() => {
    over.abort();
    resolve(hanging(limitMs));
  }, limitMs);
  try {
    const found = await Promise.race([run(check, over.signal), late]);
    return [found].flat().map((finding) => ({ name: check.name, ...finding }));
  } finally {
    clearTimeout(timer);
  }
}

async function run(check: Check, signal: AbortSignal): Promise<Finding | readonly Finding[]> {
  try {
    return await check.run(signal);
  } catch (error) {
    return error instanceof ConfigurationError ? failuresOf(error.problems) : broken(error);
  }
}

function hanging(limitMs: number): Finding {
  return fail(
    `expected an answer within ${limitMs / 1_000} s, found none; see whether what is asked here is up and can be reached from this machine`,
  );
}

/** The message of an error that nobody foresaw may hold a secret, so only what it is called is shown. */
function broken(error: unknown): Finding {
  return fail(
    `expected to find this out, found ${nameOf(error)}; run it again, and report it as a fault of Nereid if it stays`,
  );
}

function nameOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'an error without a name';
  const names = ['name', 'code'].map((field): unknown => Reflect.get(error, field));
  const words = names.filter((word) => typeof word === 'string' && /^\w{1,60}$/.test(word));
  return words.length === 0 ? 'an error without a name' : words.join(' ');
}
