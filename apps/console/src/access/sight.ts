/** What the console knows, as far as one person may see it: everything that lists show comes from here. */
import type { TrailEvent } from '@nereid/domain/trail';
import type { DayPart } from '@nereid/storage';
import type { Picture, ReadFleet } from '../fleet/fleet.ts';
import type { ReadParts } from '../trail/day-cache.ts';
import type { DaySums } from '../trail/day-sums.ts';
import type { KnownStops, ReadStops } from './stops/read-stops.ts';
import type { Ended } from '../trail/ended.ts';
import type { TrailReaders } from '../trail/readers.ts';
import { AccessUnknownError } from './access-unknown.ts';
import type { OperatorRights } from './operator-rights.ts';
import type { Reader } from './reading.ts';
import type { Named, RepositoryAccess } from './repository-access.ts';

export interface Sight {
  readonly maySee: (repository: Named) => Promise<boolean>;
  /**
   * Whether they see what is about no repository: hosts, who drained them, and that somebody posed as another one. Operators do, and
   * people who were let into a repository that has a lane. People who see only public repositories do not.
   */
  readonly isInsider: () => Promise<boolean>;
  /** Those with rights on hosts; at a console of this machine, everybody on it. */
  readonly mayAskDoctor: () => boolean;
  readonly readFleet: () => Promise<Picture>;
  /** Those of pools are about no repository, like hosts. `freshMs`: of how long ago they may be. Undefined while storage does not answer. */
  readonly readStops: ReadStops;
  readonly readEnded: (day: string) => Promise<readonly Ended[]>;
  /** Of all repositories; `seenAmong` says whose count. */
  readonly readSums: (day: string) => Promise<DaySums>;
  /** Those of these repositories, `owner/name`, that they may see. */
  readonly seenAmong: (names: Iterable<string>) => Promise<readonly string[]>;
  /** Also of repositories that they may not see; `maySee` has their answers by then, because it was asked for all at once. */
  readonly readActivity: ReadParts<DayPart<TrailEvent>>;
}

/** Everything, and who may see what of it. */
export interface SightSources extends Pick<RepositoryAccess, 'maySee' | 'seenBy' | 'isMemberOfAny'> {
  readonly operatorRights: OperatorRights;
  readonly readFleet: ReadFleet;
  readonly readStops: ReadStops;
  readonly trail: TrailReaders;
}

/** Storage is usually back by then. */
const RETRY_S = 5;

export function sightOf(sources: SightSources, reader: Reader): Sight {
  async function visible<T>(items: readonly T[], repositoryOf: (item: T) => Named): Promise<readonly T[]> {
    const isSeen = await sources.seenBy(reader, distinct(items.map(repositoryOf)));
    return items.filter((item) => isSeen(repositoryOf(item)));
  }

  async function isInsider(): Promise<boolean> {
    if (reader.kind === 'person' && sources.operatorRights.mayDrain(reader.person)) return true;
    const { lanes, unavailable } = await sources.readFleet();
    if (await sources.isMemberOfAny(reader, distinct(lanes))) return true;
    if (lanes.length === 0 && unavailable.includes('storage'))
      throw new AccessUnknownError('storage does not say which repositories there are', RETRY_S);
    return false;
  }

  async function stopsInSight(known: KnownStops): Promise<KnownStops> {
    const ofRepositories = await visible(known.ofRepositories, ({ repository }) => named(repository));
    const hasPools = known.ofPools === undefined || known.ofPools.stops.length + known.ofPools.forged > 0;
    return { ...known, ofRepositories, ...(hasPools && !(await isInsider()) && { ofPools: NO_STOPS }) };
  }

  return {
    maySee: (repository) => sources.maySee(reader, repository),
    mayAskDoctor: () => reader.kind === 'local' || sources.operatorRights.mayDrain(reader.person),
    isInsider,
    async readStops(freshMs) {
      const known = await sources.readStops(freshMs);
      return known && stopsInSight(known);
    },
    async readFleet() {
      const picture = await sources.readFleet();
      const lanes = await visible(picture.lanes, (lane) => lane);
      return { ...picture, lanes, departed: await visible(picture.departed, ({ lane }) => lane) };
    },
    readEnded: async (day) => visible(await sources.trail.readEnded(day), ({ lane }) => lane),
    async readActivity(day, before) {
      const part = await sources.trail.readActivity(day, before);
      const repositories = part.entries.flatMap(({ entry }) =>
        'repository' in entry ? [named(entry.repository)] : [],
      );
      await sources.seenBy(reader, distinct(repositories));
      return part;
    },
    readSums: (day) => sources.trail.readSums(day),
    seenAmong: async (names) => visible([...new Set(names)], named),
  };
}

const NO_STOPS = { stops: [], forged: 0 };

/** Thousands of lanes are in some tens of repositories. */
function distinct(repositories: readonly Named[]): Iterable<Named> {
  return new Map(repositories.map(({ owner, name }) => [`${owner}/${name}`, { owner, name }])).values();
}

/** The inverse of `fullName`. */
export function named(fullName: string): Named {
  const [owner = '', name = ''] = fullName.split('/');
  return { owner, name };
}
