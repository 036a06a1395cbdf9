/** The repositories that a made-up week is about, their roots, and the people who work on them. */
import { PEOPLE } from '../sample/people.ts';
import type { DeployedRepository, DeployedRoot } from '../stack/own-states.ts';

export interface MadeUpRepository {
  readonly owner: 'acme';
  readonly name: 'data' | 'edge' | 'shop';
  readonly roots: readonly DeployedRoot[];
}

/** With their permissions. */
export const MADE_UP_PEOPLE = {
  ...PEOPLE,
  dave: 'maintain',
  erin: 'write',
  frank: 'write',
  grace: 'admin',
  heidi: 'triage',
} as const;

/** They propose changes, and review those of others. */
export const WRITERS = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank', 'grace'] as const;

export type Writer = (typeof WRITERS)[number];

/** In brackets: applied without a review. With an exclamation mark: a failed apply locks the lane. */
const ROOTS = {
  data: '(airflow) analytics archive (catalog) dbt events (exports) features ingest lake! (models) reports warehouse!',
  edge: '(assets) bot-guard cdn! dns (edge-logs) firewall! (images) load-balancer rate-limits (redirects) tls workers',
  shop: 'accounts basket (catalogue) checkout! (emails) fraud invoices orders! payments! prices (recommendations) returns (search) shipping stock',
} as const;

export const MADE_UP_REPOSITORIES: readonly MadeUpRepository[] = (['data', 'edge', 'shop'] as const).map((name) => ({
  owner: 'acme',
  name,
  roots: ROOTS[name].split(' ').map(rootOf),
}));

function rootOf(written: string): DeployedRoot {
  return {
    name: written.replaceAll(/[()!]/g, ''),
    planReview: written.startsWith('(') ? 'auto' : 'required',
    onFailure: written.endsWith('!') ? 'halt' : 'continue',
  };
}

/** For the server's file. */
export const MADE_UP_DEPLOYED: readonly DeployedRepository[] = MADE_UP_REPOSITORIES.map(({ owner, name, roots }) => ({
  repository: `${owner}/${name}`,
  roots,
}));
