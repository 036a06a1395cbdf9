/** The destinations of notifications, for operators; nobody else learns who is told of what. */
import type { DestinationList } from '@nereid/api';
import { Router } from 'express';
import { createServeReaders, type Find, type ReaderSources } from '../access/serve-readers.ts';
import type { Actor } from '../login/visitor/actor-of.ts';
import { sitePage } from '../platform/html/site.ts';
import { NO_PAGE } from '../platform/http/lists.ts';
import { destinationsBody } from './page.ts';
import type { ReadDestinations } from './read-destinations.ts';

export interface DestinationRouteSources extends ReaderSources {
  readonly readDestinations: ReadDestinations;
}

export function destinationRoutes(sources: DestinationRouteSources): Router {
  const router = Router({ strict: true });
  const serve = createServeReaders(sources, router);

  const destinations: Find<DestinationList> = async ({ sight }) =>
    sight.mayAskDoctor()
      ? { kind: 'found', value: await sources.readDestinations() }
      : { kind: 'message', message: NO_PAGE };

  serve.api('/notifications', destinations, (list) => list);
  const sender = (actor: Actor | undefined) =>
    actor && sources.operatorRights.maySendAgain(actor) ? actor : undefined;

  serve.page('/notifications', destinations, (list, { who, actor }) =>
    sitePage('hosts', destinationsBody(list, sender(actor)), { title: 'Notifications', who }),
  );
  return router;
}
