/** Stops as lists show them, on the page and in a terminal. */
import { fullName } from '../../root/repository.ts';
import { ALL_POOLS, describePool, type PoolStop, type Stop } from './stop.ts';

/** The subject of a stop. Repositories are `owner/name`. */
export type StopSubject =
  | { readonly of: 'all' }
  | { readonly of: 'pool'; readonly pool: string }
  | { readonly of: 'repository'; readonly repository: string }
  | { readonly of: 'directories'; readonly repository: string; readonly directories: readonly string[] };

export function subjectOfStop(stop: Stop | PoolStop): StopSubject {
  if ('pool' in stop) return stop.pool === ALL_POOLS ? { of: 'all' } : { of: 'pool', pool: stop.pool };
  const repository = fullName(stop.repository);
  const { directories } = stop;
  return directories.length === 0 ? { of: 'repository', repository } : { of: 'directories', repository, directories };
}

/** "all repositories", "the pool gpu", "acme/infra", "acme/infra, in prod/**". */
export function describeStopSubject(stop: StopSubject): string {
  switch (stop.of) {
    case 'all':
      return describePool(ALL_POOLS);
    case 'pool':
      return describePool(stop.pool);
    case 'repository':
      return stop.repository;
    case 'directories':
      return `${stop.repository}, in ${stop.directories.join(', ')}`;
  }
}

/** Where the console has no key of control. */
export const UNVERIFIED_STOPS =
  'Not verified: the console has no ORDERS_PUBLIC_KEY, so it cannot tell who wrote these stops. Anybody who can write to its storage may have.';

/** Stops that control has not signed, at least one. */
export function describeForgedStops(count: number): string {
  const found =
    count === 1
      ? 'One stop in storage lacks the signature of control, so it stops nothing and is not listed.'
      : `${count} stops in storage lack the signature of control, so they stop nothing and are not listed.`;
  return `${found} Somebody has forged or changed the record: see the log of the console.`;
}
