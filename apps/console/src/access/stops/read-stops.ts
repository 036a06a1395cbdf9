/** Who has stopped what, by what storage holds and control has signed. Read once in a while for everybody who asks. */
import type { KeyObject } from 'node:crypto';
import type { PoolStop, Stop } from '@nereid/domain/gates';
import type { BreakGlass } from '@nereid/domain/plan';
import { fullName } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import {
  createVerifier,
  ForgedError,
  NewerVersionError,
  openEnvelope,
  type Proven,
  type Verifier,
} from '@nereid/signature';
import { isUnreadableRecord, type StopRecords, type StopsOfRepository } from '@nereid/storage';
import type { Logger } from 'pino';
import { inTime, STORAGE_PATIENCE_MS } from '../../platform/in-time.ts';

export interface KnownStops {
  /** One for each record of a repository that can be read. */
  readonly ofRepositories: readonly StopsOfOne[];
  /** Undefined when the record of them cannot be read. */
  readonly ofPools: SortedStops<PoolStop> | undefined;
  /** False without a key to verify them with. */
  readonly areVerified: boolean;
}

interface StopsOfOne extends SortedStops<Stop> {
  /** `owner/name`. */
  readonly repository: string;
  /** Those in force that let a deployment pass stops and windows. */
  readonly glass: readonly Signed<BreakGlass>[];
}

interface SortedStops<Body> {
  /** In force at the time of the reading. */
  readonly stops: readonly Body[];
  /** How many others control has not signed, or not for this record: they stop nothing. */
  readonly forged: number;
}

/** As they were read in the last second, or in another time. Undefined when storage does not answer. */
export type ReadStops = (freshMs?: number) => Promise<KnownStops | undefined>;

/** A person who stops or thaws looks at the page right after. */
const FRESH_MS = 1_000;

export interface StopSources {
  readonly stopRecords: Pick<StopRecords, 'list' | 'readPools'>;
  /** Public keys of control; without any, no stop is verified. */
  readonly controlKeys: readonly KeyObject[];
  readonly logger: Pick<Logger, 'warn'>;
  /** For tests. */
  readonly freshMs?: number;
  readonly patienceMs?: number;
}

/** Who asks while they are read waits for the same reading. A failure is not kept. */
export function createReadStops(sources: StopSources): ReadStops {
  const { stopRecords, controlKeys, logger, freshMs: ownMs = FRESH_MS, patienceMs = STORAGE_PATIENCE_MS } = sources;
  const verifier = controlKeys.length === 0 ? undefined : createVerifier(controlKeys);
  const reader: Reader = { stopRecords, verifier, logger };
  let known: { readonly readAtMs: number; readonly stops: ReturnType<ReadStops> } | undefined;

  async function read(): ReturnType<ReadStops> {
    try {
      const reading = Promise.all([readRepositories(reader), readPools(reader)]);
      const [ofRepositories, ofPools] = await inTime(reading, patienceMs);
      return { ofRepositories, ofPools, areVerified: verifier !== undefined };
    } catch (error) {
      logger.warn({ err: error }, 'the records of stops cannot be read');
      known = undefined;
      return undefined;
    }
  }

  return (freshMs = ownMs) => {
    if (known === undefined || Date.now() - known.readAtMs >= freshMs) known = { readAtMs: Date.now(), stops: read() };
    return known.stops;
  };
}

interface Reader extends Pick<StopSources, 'stopRecords' | 'logger'> {
  /** Of control's signatures. */
  readonly verifier: Verifier | undefined;
}

async function readRepositories(reader: Reader): Promise<KnownStops['ofRepositories']> {
  const records = await reader.stopRecords.list((err) => {
    warnUnreadable(reader, err);
  });
  const sorted = await Promise.all(records.map((record) => readRepository(reader, record)));
  return sorted.filter((one) => one !== undefined);
}

/** A stop of another repository that stands here is as good as forged: somebody copied it. */
async function readRepository(
  reader: Reader,
  { repository, stops, glass }: StopsOfRepository,
): Promise<StopsOfOne | undefined> {
  const name = fullName(repository);
  return unlessUnreadable(reader, async () => {
    const sorted = await sortStops(reader, { of: name, stops }, (verifier, stop) =>
      openEnvelope(verifier, 'decision/stop', stop, { repository }),
    );
    const broken = await sortStops(reader, { of: name, stops: glass }, (verifier, one) =>
      openEnvelope(verifier, 'decision/break-glass', one, { repository, deploymentId: one.body.deploymentId }),
    );
    const inForce = new Set(broken.stops.map(({ requestId }) => requestId));
    return { repository: name, ...sorted, glass: glass.filter(({ body }) => inForce.has(body.requestId)) };
  });
}

function readPools(reader: Reader): Promise<SortedStops<PoolStop> | undefined> {
  return unlessUnreadable(reader, async () => {
    const { stops } = await reader.stopRecords.readPools();
    return sortStops(reader, { of: 'pools', stops }, (verifier, stop) =>
      openEnvelope(verifier, 'decision/pool-stop', stop, { pool: stop.body.pool }),
    );
  });
}

interface Stored<Body> {
  /** Of whose record, for the log. */
  readonly of: string;
  readonly stops: readonly Signed<Body>[];
}

type Open<Body> = (verifier: Verifier, stop: Signed<Body>) => Promise<Proven<Body>>;

async function sortStops<Body extends { readonly until: string }>(
  { verifier, logger }: Reader,
  { of, stops: stored }: Stored<Body>,
  open: Open<Body>,
): Promise<SortedStops<Body>> {
  const onForged = (err: ForgedError) => {
    logger.warn({ err, of }, 'a stop that control has not signed is left out');
  };
  const opened = verifier
    ? await Promise.all(stored.map((stop) => bodyIfGenuine(open(verifier, stop), onForged)))
    : stored.map(({ body }) => body);
  const genuine = opened.filter((body) => body !== undefined);
  const now = new Date().toISOString();
  return { stops: genuine.filter(({ until }) => until > now), forged: stored.length - genuine.length };
}

async function bodyIfGenuine<Body>(
  opening: Promise<Proven<Body>>,
  onForged: (error: ForgedError) => void,
): Promise<Body | undefined> {
  try {
    return (await opening).body;
  } catch (error) {
    if (!(error instanceof ForgedError)) throw error;
    onForged(error);
    return undefined;
  }
}

/** A stop that a newer release has signed says what nobody here knows. */
async function unlessUnreadable<T>(reader: Reader, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!isUnreadableRecord(error) && !(error instanceof NewerVersionError)) throw error;
    warnUnreadable(reader, error);
    return undefined;
  }
}

function warnUnreadable({ logger }: Reader, err: Error): void {
  logger.warn({ err }, 'a record of stops cannot be read, and is left out');
}
