/** Whether Temporal is what the product needs: a server that is new enough, the namespace, its search attributes, permission to use it. */
import { ConfigurationError, type LocatedProblem } from '@nereid/config';
import { SEARCH_ATTRIBUTE } from '@nereid/domain/temporal-names';
import { Connection, isGrpcServiceError } from '@temporalio/client';
import type { TemporalConfig } from './temporal-config.ts';
import { whyUnreachable } from './why-unreachable.ts';

export type TemporalChecked =
  | { readonly kind: 'fit'; readonly serverVersion: string }
  /** Or it cannot say so now; waiting may help. */
  | { readonly kind: 'away'; readonly why: string }
  /** Somebody has to change something. */
  | { readonly kind: 'unfit'; readonly problem: LocatedProblem };

export interface CheckOptions {
  readonly deadlineMs?: number;
  /** For tests. */
  readonly oldestServer?: string;
}

/**
 * The first with fair shares of a queue for each repository, which the product relies on; priorities, and the texts that
 * explain a workflow, came before. Older ones ignore what they do not know, so nothing else would say it.
 */
const OLDEST_SERVER = '1.29.0';

/** Two calls, and a handshake before them. A process that starts waits for it. */
const DEADLINE_MS = 3_000;

export type Checked = Pick<TemporalConfig, 'namespace' | 'server' | 'connection'>;

/** Asks once, without another attempt. */
export async function checkTemporal(
  temporal: Checked,
  { deadlineMs = DEADLINE_MS, oldestServer = OLDEST_SERVER }: CheckOptions = {},
): Promise<TemporalChecked> {
  const connection = Connection.lazy({ ...temporal.connection, interceptors: [] });
  try {
    return await connection.withDeadline(Date.now() + deadlineMs, async () => {
      const { serverVersion } = await connection.workflowService.getSystemInfo({});
      if (isOlder(serverVersion, oldestServer))
        return unfit(temporal, 'TEMPORAL_ADDRESS', tooOld(serverVersion, oldestServer));
      await connection.workflowService.countWorkflowExecutions({
        namespace: temporal.namespace,
        query: ALL_ATTRIBUTES,
      });
      return { kind: 'fit', serverVersion };
    });
  } catch (error) {
    return await verdictOn(error, temporal);
  } finally {
    await connection.close();
  }
}

/** For a process that can do nothing without Temporal. Throws a ConfigurationError when it is unfit, another error when it is away. */
export async function requireTemporal(temporal: Checked): Promise<void> {
  const checked = await checkTemporal(temporal);
  if (checked.kind === 'away') throw new Error(checked.why);
  refuseUnfit(checked);
}

export function refuseUnfit(
  checked: TemporalChecked,
): asserts checked is Exclude<TemporalChecked, { readonly kind: 'unfit' }> {
  if (checked.kind === 'unfit') throw new ConfigurationError([checked.problem]);
}

/** Finds nothing, and everybody who may use the namespace may ask it: an operator's API, which lists attributes, Temporal Cloud has not. */
const ALL_ATTRIBUTES = Object.values(SEARCH_ATTRIBUTE)
  .map((name) => `${name} = ''`)
  .join(' AND ');

/** Of gRPC. */
const CODE = { invalidArgument: 3, notFound: 5, permissionDenied: 7, unavailable: 14, unauthenticated: 16 } as const;

async function verdictOn(error: unknown, temporal: Checked): Promise<TemporalChecked> {
  if (!isGrpcServiceError(error)) throw error;
  const { details, message } = error;
  const code: number = error.code;
  switch (code) {
    case CODE.invalidArgument:
      return unfit(temporal, 'TEMPORAL_NAMESPACE', {
        expected: `the search attributes ${Object.values(SEARCH_ATTRIBUTE).join(', ')} in the namespace ${temporal.namespace}`,
        found: details,
        remedy: `make them with: ${SET_UP}`,
      });
    case CODE.notFound:
      return unfit(temporal, 'TEMPORAL_NAMESPACE', {
        expected: `the namespace ${temporal.namespace}`,
        found: details,
        remedy: `make it with: ${SET_UP}`,
      });
    case CODE.permissionDenied:
    case CODE.unauthenticated:
      return unfit(temporal, 'TEMPORAL_API_KEY', {
        expected: `permission to use the namespace ${temporal.namespace}`,
        found: details,
        remedy: 'set TEMPORAL_API_KEY, or the certificate of TEMPORAL_TLS_CLIENT_CERT_PATH, to one that has it',
      });
    case CODE.unavailable: {
      const problem = await whyUnreachable(temporal);
      return problem ? { kind: 'unfit', problem } : { kind: 'away', why: message };
    }
    default:
      return { kind: 'away', why: message };
  }
}

const SET_UP = 'nereid temporal setup';

interface Unfit {
  readonly expected: string;
  readonly found: string;
  readonly remedy: string;
}

function unfit({ server }: Checked, path: string, { expected, found, remedy }: Unfit): TemporalChecked {
  const message = `expected ${expected} at ${server.address ?? ''}, found: ${found}; ${remedy}`;
  return { kind: 'unfit', problem: { path, message } };
}

function tooOld(found: string, oldest: string): Unfit {
  return {
    expected: `a Temporal server of at least ${oldest}`,
    found,
    remedy: 'upgrade it, one minor version after the other',
  };
}

/** One that does not tell its version is taken as new enough. A suffix does not count: Temporal Cloud has its own. */
function isOlder(version: string, oldest: string): boolean {
  const [found, needed] = [numbersOf(version), numbersOf(oldest)];
  if (found === undefined || needed === undefined) return false;
  const index = found.findIndex((number, place) => number !== needed[place]);
  return index !== -1 && Number(found[index]) < Number(needed[index]);
}

function numbersOf(version: string): readonly number[] | undefined {
  const parts = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version);
  return parts?.slice(1).map(Number);
}
