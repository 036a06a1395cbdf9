/**
 * Pools of hosts. A root runs on the hosts of one pool; whoever asks for hosts names the pool, or a label of it. The public halves
 * of a pool's keys say which hosts belong to it.
 */
import { defined } from '@nereid/domain/defined';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { readPublicKeys } from '@nereid/signature';
import type { z } from 'zod';
import { MEMBER_LIMIT } from '../settings/people-schema.ts';
import { POOL_NAME } from '../settings/settings-schema.ts';
import { described, list, object, text } from '../yaml/schema.ts';
import type { Placed } from '../yaml/sound.ts';
import { nearestOf } from '../yaml/nearest.ts';
import { quote, type Path } from '../yaml/problem.ts';
import type { Report } from '../yaml/report.ts';
import type { RepositoryEntry } from './repository-entry.ts';

export const PoolEntry = object({
  name: described(
    POOL_NAME,
    'the name of the pool; hosts belong to it by their `POOL`',
    'text of `a-z`, `0-9` and `-`, at most 40',
  ),
  labels: described(
    list(POOL_NAME, MEMBER_LIMIT).optional(),
    'other names by which roots may ask for the pool',
    'list of such texts (none)',
  ),
  public_key: described(
    text('one or more Ed25519 public keys as PEM').optional(),
    'Ed25519: verifies the signatures of its hosts; several, for rotation, one after another',
    'PEM, required except for `default`',
  ),
  seal_public_key: described(
    text('one or more X25519 public keys as PEM').optional(),
    'X25519: seals tokens for its hosts; of several, the last is used',
    'PEM, required except for `default`',
  ),
});
type PoolEntry = z.infer<typeof PoolEntry>;

export interface Pool {
  readonly name: string;
  /** Other names by which roots ask for it. */
  readonly labels: readonly string[];
  /** Ed25519 public keys as PEM; absent where the environment has them, which it may for `default`. */
  readonly publicKey?: string;
  /** X25519 public keys as PEM; the last is the newest. */
  readonly sealPublicKey?: string;
}

export function normalisePool({ name, labels = [], ...keys }: PoolEntry): Pool {
  const { public_key: publicKey, seal_public_key: sealPublicKey } = keys;
  return { name, labels, ...defined({ publicKey, sealPublicKey }) };
}

/** The names by which roots ask for hosts. */
export type PoolNames = Pick<Pool, 'name' | 'labels'>;

/** The name of the pool with this name or label; undefined when there is none. There is always `default`. */
export function poolNamed(pools: readonly PoolNames[], hosts: string): string | undefined {
  const found = pools.find(({ name, labels }) => name === hosts || labels.includes(hosts));
  return found?.name ?? (hosts === DEFAULT_POOL ? DEFAULT_POOL : undefined);
}

/** A sentence when no pool has this name or label. */
export function unknownHosts(pools: readonly PoolNames[], hosts: string): string | undefined {
  if (poolNamed(pools, hosts) !== undefined) return undefined;
  const names = [...new Set([DEFAULT_POOL, ...pools.flatMap(({ name, labels }) => [name, ...labels])])];
  const nearest = nearestOf(hosts, names);
  const remedy = nearest === undefined ? 'add it under pools' : `did you mean ${quote(nearest)}?`;
  return `expected a pool, or a label of one (${names.join(', ')}), found ${quote(hosts)}; ${remedy}`;
}

/** The part of the file that the rules below judge. */
export interface PoolSubject {
  readonly repositories: readonly { readonly index: number; readonly entry: RepositoryEntry }[];
  readonly pools: readonly Placed<Pool>[];
  /** Whether errors in the file hide pools. */
  readonly hidesPools: boolean;
}

/** Otherwise a root would not know where it belongs. */
export function poolNamesAreUnique({ pools }: PoolSubject, report: Report): void {
  const seen = new Map<string, string>();
  for (const { index, value: pool } of pools) {
    const names: readonly (readonly [string, Path])[] = [
      [pool.name, ['pools', index, 'name']],
      ...pool.labels.map((label, at) => [label, ['pools', index, 'labels', at]] as const),
    ];
    for (const [name, path] of names) {
      const first = seen.get(name);
      if (first === undefined) seen.set(name, `pools[${index}]`);
      else
        report.error(
          path,
          `expected each name and label once, found ${quote(name)}, which ${first} has already; choose another one`,
        );
    }
  }
}

/** A label of that name would take the hosts away from every root that asks for none. */
export function noLabelIsDefault({ pools }: PoolSubject, report: Report): void {
  for (const { index, value: pool } of pools) {
    const at = pool.labels.indexOf(DEFAULT_POOL);
    if (at !== -1 && pool.name !== DEFAULT_POOL)
      report.error(
        ['pools', index, 'labels', at],
        `expected another label, found ${quote(DEFAULT_POOL)}, the pool of roots that ask for no hosts; remove it`,
      );
  }
}

const KEYS = [
  { key: 'public_key', of: 'publicKey', use: 'sign', type: 'Ed25519' },
  { key: 'seal_public_key', of: 'sealPublicKey', use: 'seal', type: 'X25519' },
] as const;

/** Without them nobody could tell its hosts from any others. The environment may have those of `default`. */
export function poolsHaveKeys({ pools }: PoolSubject, report: Report): void {
  for (const { index, value: pool } of pools) {
    for (const { key, of, use, type } of KEYS) {
      const text = pool[of];
      const isMissing = text === undefined && pool.name !== DEFAULT_POOL;
      if (!isMissing && (text === undefined || readPublicKeys(text, use) !== undefined)) continue;
      report.error(
        isMissing ? ['pools', index] : ['pools', index, key],
        `expected one or more ${type} public keys as PEM${isMissing ? ` in ${key}` : ''}, found ${isMissing ? 'nothing' : 'something else'}; make them with: nereid keys FOLDER ${pool.name}`,
      );
    }
  }
}

/** With a key of another pool, its hosts could sign for them. */
export function poolsHaveKeysOfTheirOwn({ pools }: PoolSubject, report: Report): void {
  for (const { key, of, use } of KEYS) {
    const seen = new Map<string, number>();
    for (const { index, value: pool } of pools) {
      for (const id of new Set(keyIdsIn(pool[of] ?? '', use))) {
        const first = seen.get(id);
        if (first === undefined) seen.set(id, index);
        else
          report.error(
            ['pools', index, key],
            `expected keys that no other pool has, found one of pools[${first}]; make others with: nereid keys FOLDER ${pool.name}`,
          );
      }
    }
  }
}

function keyIdsIn(text: string, use: 'sign' | 'seal'): readonly string[] {
  return (readPublicKeys(text, use) ?? []).map((key) => key.export({ type: 'spki', format: 'der' }).toString('base64'));
}

export function namedHostsExist({ repositories, pools, hidesPools }: PoolSubject, report: Report): void {
  if (hidesPools) return;
  const known = pools.map(({ value }) => value);
  const check = (path: Path, hosts: string | undefined) => {
    const problem = hosts === undefined ? undefined : unknownHosts(known, hosts);
    if (problem !== undefined) report.error(path, problem);
  };
  for (const { index, entry } of repositories) {
    check(['repositories', index, 'hosts'], entry.settings.hosts);
    for (const [at, hosts] of (entry.allowedHosts ?? []).entries())
      check(['repositories', index, 'allowed_hosts', at], hosts);
    for (const root of entry.roots) check(['repositories', index, 'roots', root.match, 'hosts'], root.settings.hosts);
  }
}
