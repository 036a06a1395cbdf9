/** What is wrong at the end of the week: each of these roots needs a person. */
import type { Fate } from './fate.ts';
import { HOUR_MS, MINUTE_MS } from '../moments.ts';
import type { MadeUpRepository, Writer } from '../made-up-repositories.ts';

export interface Incident {
  readonly repository: MadeUpRepository['name'];
  readonly rootName: string;
  /** How long ago its deployment was asked for. */
  readonly agoMs: number;
  readonly title: string;
  /** Of the resource that it adds. */
  readonly resource: string;
  readonly author: Writer;
  readonly fate: Fate;
  /** What its apply prints; absent when it goes well. */
  readonly message?: string;
  /** It is deployed from its pull request, which is still open. */
  readonly isByHand?: true;
  /** Its host went away while it applied. */
  readonly isHostLost?: true;
}

export const INCIDENTS: readonly Incident[] = [
  {
    repository: 'edge',
    rootName: 'cdn',
    agoMs: 2 * HOUR_MS + 20 * MINUTE_MS,
    title: 'Serve the shop from two more regions',
    resource: 'regions',
    author: 'frank',
    fate: 'apply-outcome-unknown',
    isHostLost: true,
  },
  {
    repository: 'data',
    rootName: 'warehouse',
    agoMs: 3 * HOUR_MS + 10 * MINUTE_MS,
    title: 'Split the table of events by day',
    resource: 'partitions',
    author: 'dave',
    fate: 'apply-failed',
    message: 'The warehouse has no room for another 400 partitions.',
  },
  {
    repository: 'shop',
    rootName: 'emails',
    agoMs: 70 * MINUTE_MS,
    title: 'Send receipts from an address of their own',
    resource: 'sender',
    author: 'erin',
    fate: 'apply-failed',
    message: 'The address receipts@acme.example is not verified yet.',
  },
  {
    repository: 'edge',
    rootName: 'tls',
    agoMs: 95 * MINUTE_MS,
    title: 'Certificates from another authority',
    resource: 'authority',
    author: 'bob',
    fate: 'plan-failed',
  },
  {
    repository: 'shop',
    rootName: 'prices',
    agoMs: 5 * HOUR_MS,
    title: 'Round prices to five cents',
    resource: 'rounding',
    author: 'bob',
    fate: 'rejected',
  },
  {
    repository: 'shop',
    rootName: 'checkout',
    agoMs: 26 * HOUR_MS,
    title: 'Try the new payment form with a tenth of the customers',
    resource: 'experiment',
    author: 'erin',
    fate: 'succeeded',
    isByHand: true,
  },
];

/** Nothing else happens to these roots for some time before. */
export const QUIET_MS = 14 * HOUR_MS;
