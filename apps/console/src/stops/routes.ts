/** What is stopped: as a page, on which operators stop and thaw all repositories and pools, and as the API answers it. */
import type { StopList, StopSummary } from '@nereid/api';
import type { ServerConfig } from '@nereid/config';
import { ALL_POOLS, subjectOfStop, type PoolStop, type Stop } from '@nereid/domain/gates';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { Router } from 'express';
import { createServeReaders, type Find, type ReaderSources } from '../access/serve-readers.ts';
import { sitePage } from '../platform/html/site.ts';
import { AWAY } from '../platform/http/lists.ts';
import { stopsBody } from './page.ts';
import type { KnownStops } from '../access/stops/read-stops.ts';

export interface StopRouteSources extends ReaderSources {
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
    const known = await sight.readStops();
    if (known === undefined) return { kind: 'message', message: AWAY };
    return { kind: 'found', value: { list: listOf(known), pools: (await sight.isInsider()) ? namesOf(sources) : [] } };
  };

  serve.api('/stops', stops, ({ list }) => list);
  serve.page('/stops', stops, ({ list, pools }, { who, actor }) => {
    const operator = actor && sources.operatorRights.mayStopPools(actor) ? actor : undefined;
    return sitePage('stops', stopsBody(list, { pools, actor, operator }), { who });
  });
  return router;
}

function listOf({ ofRepositories, ofPools, areVerified }: KnownStops): StopList {
  const known = [...(ofPools ? [ofPools] : []), ...ofRepositories];
  const forged = known.reduce((sum, one) => sum + one.forged, 0);
  return {
    items: known.flatMap(({ stops }) => stops.map(summaryOf)),
    ...(ofPools === undefined && { areUnreadable: true }),
    ...(!areVerified && { areUnverified: true }),
    ...(forged > 0 && { forged }),
  };
}

function summaryOf(stop: Stop | PoolStop): StopSummary {
  const { by, reason, at, until } = stop;
  const terms = { by, reason, at, until };
  const subject = subjectOfStop(stop);
  return subject.of === 'directories'
    ? { ...subject, directories: [...subject.directories], ...terms }
    : { ...subject, ...terms };
}

/** All of them, and each if there are several. */
function namesOf({ server }: StopRouteSources): readonly string[] {
  const names = new Set([DEFAULT_POOL, ...server.current().pools.map(({ name }) => name)]);
  return [ALL_POOLS, ...(names.size > 1 ? names : [])];
}
