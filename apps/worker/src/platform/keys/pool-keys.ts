/**
 * The keys of pools, as this process knows them. The server's file has the public halves; those of the pool `default` may be in the
 * environment as well, and whoever has a private half knows its public one.
 */
import type { KeyObject } from 'node:crypto';
import type { LocatedProblem, ServerConfig } from '@nereid/config';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { publicKeyOf, readPublicKeys } from '@nereid/signature';
import type { KeyHalves, SealKeys } from './worker-keys.ts';

/** The pools of the server's file. */
export type PoolsConfig = Pick<ServerConfig, 'pools'>;

export interface OwnPool {
  /** Of which this process is a host, if it is one. */
  readonly pool: string;
  readonly keys: KeyHalves;
}

/** The keys that sign for a pool, as far as the environment says. */
export function ownKeysOf({ pool, keys: { privateKey, publicKeys } }: OwnPool, name: string): readonly KeyObject[] {
  return [
    ...(privateKey && pool === name ? [publicKeyOf(privateKey)] : []),
    ...(name === DEFAULT_POOL ? publicKeys : []),
  ];
}

/** The keys that sign for a pool, as far as the server's file says. */
export function filedKeysOf({ pools }: PoolsConfig, name: string): readonly KeyObject[] {
  return readPublicKeys(filed(pools, name)?.publicKey ?? '') ?? [];
}

interface Sealing {
  readonly sealKeys: SealKeys;
  readonly server: { current(): PoolsConfig };
}

/** The key to which tokens for the hosts of a pool are sealed; undefined when nobody says which. */
export function sealKeyOf({ sealKeys, server }: Sealing, name: string): KeyObject | undefined {
  const inFile = filedSealKeyOf(server.current(), name);
  return inFile ?? (name === DEFAULT_POOL ? sealKeys.publicKey : undefined);
}

export interface PoolValues {
  readonly pool: string;
  readonly isHost: boolean;
  readonly poolKey: KeyObject | undefined;
  readonly poolSealKeys: readonly KeyObject[] | undefined;
}

/** The problems that keep this process from being a host of its pool, or from telling pools apart. */
export function poolProblems(values: PoolValues, server: PoolsConfig): readonly LocatedProblem[] {
  const { isHost, pool, poolKey } = values;
  if (isHost && pool !== DEFAULT_POOL && filed(server.pools, pool) === undefined) {
    const names = [...new Set([DEFAULT_POOL, ...server.pools.map(({ name }) => name)])].join(', ');
    const message = `expected a pool of the server's file (${names}), found "${pool}"; name one of these, or add it under pools`;
    return [{ path: 'POOL', message }];
  }
  const others = server.pools.filter(({ name }) => name !== pool).flatMap(({ name }) => filedKeysOf(server, name));
  return [...(isHost ? hostProblems(values, server) : []), ...(poolKey ? sharedBy(publicKeyOf(poolKey), others) : [])];
}

function hostProblems({ pool, poolKey, poolSealKeys }: PoolValues, server: PoolsConfig): readonly LocatedProblem[] {
  const keys = filedKeysOf(server, pool);
  const sealKey = filedSealKeyOf(server, pool);
  return [
    ...(poolKey && keys.length > 0 && !has(keys, publicKeyOf(poolKey))
      ? [stranger('POOL_KEY', 'public_key', pool)]
      : []),
    ...(poolSealKeys && sealKey && !has(poolSealKeys.map(publicKeyOf), sealKey)
      ? [stranger('POOL_SEAL_KEY', 'seal_public_key', pool)]
      : []),
  ];
}

function stranger(path: string, key: string, pool: string): LocatedProblem {
  const message = `expected the private half of the ${key} of the pool ${pool} in the server's file, found another key; give the host the keys of its pool, or add the public half to the file`;
  return { path, message };
}

/** With one key for two pools, the hosts of one sign for the other. */
function sharedBy(own: KeyObject, others: readonly KeyObject[]): readonly LocatedProblem[] {
  if (!has(others, own)) return [];
  const message = "expected a key of its own, found one of another pool in the server's file; look at POOL";
  return [{ path: 'POOL_KEY', message }];
}

function has(keys: readonly KeyObject[], wanted: KeyObject): boolean {
  return keys.some((key) => key.equals(wanted));
}

function filedSealKeyOf({ pools }: PoolsConfig, name: string): KeyObject | undefined {
  return readPublicKeys(filed(pools, name)?.sealPublicKey ?? '', 'seal')?.at(-1);
}

function filed(pools: PoolsConfig['pools'], name: string): PoolsConfig['pools'][number] | undefined {
  return pools.find((pool) => pool.name === name);
}
