/** What is stopped: as a page, on which operators stop and thaw all repositories and pools, and as the API answers it. */
import type { StopList, StopSummary } from '@nereid/api';
import type { ServerConfig } from '@nereid/config';
import { ALL_POOLS, type PoolStop, type Stop } from '@nereid/domain/gates';
import { DEFAULT_POOL, fullName } from '@nereid/domain/root';
import { Router } from 'express';
import { createServeReaders, type Find, type ReaderSources } from '../access/serve-readers.ts';
import { sitePage } from '../platform/html/site.ts';
import { AWAY } from '../platform/http/lists.ts';
import { stopsBody } from './page.ts';
import type { ReadStops } from './read-stops.ts';

export interface StopRouteSources extends ReaderSources {
  readonly readStops: ReadStops;
  readonly server: { current(): Pick<ServerConfig, 'pools'> };
}

/** What a reader sees of it. */
interface Seen {
  readonly list: StopList;
  /** Empty for whoever is not told of their stops, and so not that there are none, either. */
  readonly pools: readonly string[];
}

export function stopRoutes(sources: StopRouteSources): Router {
  const router = Router({ strict: true });
  const serve = createServeReaders(sources, router);

  const stops: Find<Seen> = async ({ sight }) => {
    const known = await sources.readStops();
    if (known === undefined) return { kind: 'message', message: AWAY };
    const seen = new Set(await sight.seenAmong(known.stops.map(({ repository }) => fullName(repository))));
    const own = known.stops.map(ofRepository).filter(({ repository = '' }) => seen.has(repository));
    // Pools are about no repository, like hosts.
    if (!(await sight.isInsider())) return { kind: 'found', value: { list: { items: own }, pools: [] } };
    const { ofPools } = known;
    const items = [...(ofPools ?? []).map(ofPool), ...own];
    const list: StopList = { items, ...(ofPools === undefined && { areUnreadable: true }) };
    return { kind: 'found', value: { list, pools: namesOf(sources) } };
  };

  serve.api('/stops', stops, ({ list }) => list);
  serve.page('/stops', stops, ({ list, pools }, { who, actor }) => {
    const operator = actor && sources.operatorRights.mayStopPools(actor) ? actor : undefined;
    return sitePage('hosts', stopsBody(list, { pools, actor, operator }), { title: 'Stops', who });
  });
  return router;
}

function ofRepository({ repository, directories, by, reason, at, until }: Stop): StopSummary {
  return { repository: fullName(repository), directories: [...directories], by, reason, at, until };
}

function ofPool({ pool, by, reason, at, until }: PoolStop): StopSummary {
  return { pool, by, reason, at, until };
}

/** All of them, and each if there are several. */
function namesOf({ server }: StopRouteSources): readonly string[] {
  const names = new Set([DEFAULT_POOL, ...server.current().pools.map(({ name }) => name)]);
  return [ALL_POOLS, ...(names.size > 1 ? names : [])];
}
