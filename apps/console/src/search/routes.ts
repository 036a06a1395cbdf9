/** The search of every page: roots, merges and deployments, as far as a person sees them. */
import type { Pages } from '@nereid/forge';
import { Router } from 'express';
import { createServeReaders, type Find, type ReaderSources } from '../access/serve-readers.ts';
import { listLanes } from '../lanes/list-lanes.ts';
import { sitePage } from '../platform/html/site.ts';
import { findDeploymentsOfDays, rolloutsAmong, type RolloutSources } from '../rollouts/find-rollouts.ts';
import { matchesOf, type Matches } from './matches-of.ts';
import { searchBody } from './page.ts';

export interface SearchSources extends ReaderSources, Pick<RolloutSources, 'patienceMs' | 'logger'> {
  readonly links: { readonly forgePages: Pages };
}

/** Longer words are nobody's. */
const LONGEST = 200;

export function searchRoutes(sources: SearchSources): Router {
  const router = Router({ strict: true });
  const serve = createServeReaders(sources, router);
  const { forgePages } = sources.links;

  const search: Find<Matches> = async ({ request, sight }) => {
    const { q } = request.query;
    const text = typeof q === 'string' ? q.trim().slice(0, LONGEST) : '';
    const { items: lanes } = listLanes(await sight.readFleet(), { limit: Infinity }, forgePages);
    const { told } = await findDeploymentsOfDays({ ...sources, ...sight, forgePages, nowMs: Date.now() });
    return { kind: 'found', value: matchesOf(text, { lanes, rollouts: rolloutsAmong(told), deployments: told }) };
  };

  serve.page('/search', search, (found, { who }) =>
    sitePage('search', searchBody(found), { title: 'Search', who, searched: found.text }),
  );
  return router;
}
