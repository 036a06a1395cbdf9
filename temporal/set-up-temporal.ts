/**
 * Makes what Nereid needs of a Temporal server, or leaves it as it is, and says which. Waits until Temporal is there, and then until
 * all its parts know the new things.
 *
 * Temporal's own variables name the server and the namespace (`TEMPORAL_ADDRESS`, `TEMPORAL_NAMESPACE`, …).
 */
import { setTimeout as pause } from 'node:timers/promises';
import { ConfigurationError, type EnvironmentRecord } from '@nereid/config';
import { checkTemporal, readTemporalConfig, type Checked } from '@nereid/process';
import { Connection, isGrpcServiceError } from '@temporalio/client';
import { setUpNamespace } from './set-up-namespace.ts';

export interface SetUpOptions {
  readonly print: (line: string) => void;
  readonly warn: (line: string) => void;
  /** How long to wait for a Temporal that answers; default: two minutes, as for one that starts beside us. */
  readonly answerMs?: number;
  /** Ends the wait early: its reason is thrown. */
  readonly signal?: AbortSignal;
  /** How long all of it may take; for tests. */
  readonly patienceMs?: number;
}

/** A month, so that a deployment's workflows can still be seen when its consequences show. */
const RETENTION_DAYS = 30;
/** The client itself would retry for ever. */
const CALL_MS = 10_000;
/** Nothing answers in less, even beside others. */
const LEAST_CALL_MS = 2_000;
/** A server with 512 shards starts slowly on a slow machine; after two minutes a person has to look. */
const PATIENCE_MS = 120_000;
const PAUSE_MS = 1_000;
const NEVER = new AbortController().signal;

/** Returns the exit code: 1 when it could not be done, 2 when the settings are wrong. */
export async function setUpTemporal(environment: EnvironmentRecord, options: SetUpOptions): Promise<0 | 1 | 2> {
  const read = readTemporalConfig(environment);
  if (read.kind === 'invalid') {
    options.warn(new ConfigurationError(read.problems).message);
    return 2;
  }
  const failed = await setUp(read.config, options);
  if (failed !== undefined) options.warn(failed);
  return failed === undefined ? 0 : 1;
}

/** Returns a sentence when it could not be done. */
async function setUp(
  temporal: Checked,
  { print, warn, signal = NEVER, patienceMs = PATIENCE_MS, answerMs = patienceMs }: SetUpOptions,
): Promise<string | undefined> {
  const { namespace } = temporal;
  const startedAt = performance.now();
  const [answered, deadline] = [startedAt + answerMs, startedAt + patienceMs];
  const connection = Connection.lazy({ ...temporal.connection, interceptors: [] });
  try {
    const done = await untilDone(
      answered,
      () => connection.withAbortSignal(signal, () => tryOnce(connection, temporal, answered)),
      signal,
      () => {
        warn(
          `Temporal does not answer at ${temporal.server.address ?? ''} yet; waiting for ${answerMs / 1_000} s at most.`,
        );
      },
    );
    if (done.kind === 'failed') return done.why;
    for (const line of done.lines) print(line);
    const known = await untilDone(deadline, () => isKnown(temporal), signal);
    if (known.kind === 'failed') return known.why;
    print(`The namespace ${namespace} is ready.`);
    return undefined;
  } finally {
    await connection.close();
  }
}

type Tried =
  | { readonly kind: 'done'; readonly lines: readonly string[] }
  | { readonly kind: 'failed'; readonly why: string }
  /** Another attempt may help. */
  | { readonly kind: 'not yet'; readonly why: string };

async function untilDone(
  deadline: number,
  attempt: () => Promise<Tried>,
  signal: AbortSignal,
  onWait: () => void = () => undefined,
): Promise<Exclude<Tried, { kind: 'not yet' }>> {
  for (let isFirst = true; ; isFirst = false) {
    const tried = await attempt();
    signal.throwIfAborted();
    if (tried.kind !== 'not yet') return tried;
    if (performance.now() > deadline) return { kind: 'failed', why: tried.why };
    if (isFirst) onWait();
    await pause(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Of gRPC. */
const CODE = {
  invalidArgument: 3,
  deadlineExceeded: 4,
  permissionDenied: 7,
  unimplemented: 12,
  unauthenticated: 16,
} as const;

async function tryOnce(connection: Connection, temporal: Checked, deadline: number): Promise<Tried> {
  const { namespace } = temporal;
  try {
    const wanted = { namespace, retentionDays: RETENTION_DAYS };
    const callMs = Math.max(LEAST_CALL_MS, Math.min(CALL_MS, deadline - performance.now()));
    const lines = await connection.withDeadline(Date.now() + callMs, () => setUpNamespace(connection, wanted));
    return { kind: 'done', lines };
  } catch (error) {
    if (!isGrpcServiceError(error))
      return { kind: 'failed', why: error instanceof Error ? error.message : String(error) };
    const code: number = error.code;
    const at = `the namespace ${namespace} at ${temporal.server.address ?? ''}`;
    if (code === CODE.permissionDenied || code === CODE.unauthenticated || code === CODE.unimplemented)
      return refused(at, error.details);
    const why = `expected to set up ${at}, found: ${code === CODE.deadlineExceeded ? 'no answer' : wordsOf(error.details)}; start Temporal, or correct TEMPORAL_ADDRESS`;
    return code === CODE.invalidArgument ? { kind: 'failed', why } : unlessUnfit(temporal, why);
  }
}

function refused(at: string, found: string): Tried {
  const why = `expected permission to set up ${at}, found: ${found}; use the credentials of an administrator. Temporal Cloud gives nobody this permission: make the namespace and the search attributes, of the type Keyword, in its own UI`;
  return { kind: 'failed', why };
}

/** Without gRPC's advice, which is empty. */
function wordsOf(details: string): string {
  return details.replace(/\.? Resolution note:.*$/s, '');
}

/** Certificates that do not fit never will. */
async function unlessUnfit(temporal: Checked, why: string): Promise<Tried> {
  const checked = await checkTemporal(temporal);
  const isDistrust = checked.kind === 'unfit' && checked.problem.path !== 'TEMPORAL_NAMESPACE';
  return isDistrust ? { kind: 'failed', why: checked.problem.message } : { kind: 'not yet', why };
}

/** Parts of Temporal learn of a new namespace and of new attributes only after a while. */
async function isKnown(temporal: Checked): Promise<Tried> {
  const checked = await checkTemporal(temporal);
  if (checked.kind === 'fit') return { kind: 'done', lines: [] };
  return { kind: 'not yet', why: checked.kind === 'away' ? checked.why : checked.problem.message };
}
