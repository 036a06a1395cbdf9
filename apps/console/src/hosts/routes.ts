/** The page and the API of who works. Its buttons are for operators. */
import type { HostList } from '@nereid/api';
import { Router } from 'express';
import { createServeReaders, type Find, type ReaderSources } from '../access/serve-readers.ts';
import type { Actor } from '../login/visitor/actor-of.ts';
import { html } from '../platform/html/html.ts';
import { sitePage } from '../platform/html/site.ts';
import { AWAY, NO_PAGE } from '../platform/http/lists.ts';
import { withRuns } from './list-hosts.ts';
import { hostsBody } from './page.ts';
import type { ReadHosts } from './read-hosts.ts';

export interface HostRouteSources extends ReaderSources {
  readonly readHosts: ReadHosts;
}

export function hostRoutes(sources: HostRouteSources): Router {
  const router = Router();
  const serve = createServeReaders(sources, router);

  const hosts: Find<HostList> = async ({ sight: { isInsider, readFleet } }) => {
    if (!(await isInsider())) return { kind: 'message', message: NO_PAGE };
    const known = await sources.readHosts();
    if (known === undefined) return { kind: 'message', message: AWAY };
    return { kind: 'found', value: withRuns(known, await readFleet()) };
  };

  const operator = (actor: Actor | undefined) => (actor && sources.operatorRights.mayDrain(actor) ? actor : undefined);

  serve.api('/hosts', hosts, (list) => list);
  serve.pages('/hosts', hosts, {
    page: (list, { who, actor }) => {
      const live = { fragment: 'hosts/fragment', events: { kinds: 'hosts' } };
      const body = html`${hostsBody(list, operator(actor))}${operator(actor) && TO_DOCTOR}`;
      return sitePage('hosts', body, { live, who });
    },
    state: (list, { actor }) => hostsBody(list, operator(actor)),
  });
  return router;
}

/** For those who may do something about it. */
const TO_DOCTOR = html`<p>
  <a href="doctor">Check what this console works with</a>, or <a href="notifications">whom it notifies</a>
</p>`;
