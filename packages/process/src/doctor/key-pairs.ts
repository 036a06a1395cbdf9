import type { KeyObject } from 'node:crypto';
import { env, readEnv, type EnvironmentRecord, type Variable } from '@nereid/config';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { fail, ok, skip, type Check, type Finding } from '@nereid/doctor';
import { publicKeyOf } from '@nereid/signature';

interface KeyPair {
  readonly privateName: string;
  readonly publicName: string;
  readonly privateKeys: Variable<KeyObject | readonly KeyObject[] | undefined>;
  readonly publicKeys: Variable<KeyObject | readonly KeyObject[] | undefined>;
}

const PAIRS: readonly KeyPair[] = [
  signing('GATEWAY_KEY', 'GATEWAY_PUBLIC_KEY'),
  signing('CONSOLE_KEY', 'CONSOLE_PUBLIC_KEY'),
  signing('ORDERS_KEY', 'ORDERS_PUBLIC_KEY'),
  signing('POOL_KEY', 'POOL_PUBLIC_KEY'),
  sealing('CONTROL_SEAL_KEY', 'CONTROL_SEAL_PUBLIC_KEY'),
  sealing('POOL_SEAL_KEY', 'POOL_SEAL_PUBLIC_KEY'),
];

/** The public ones that a process gets are those of the pool `default`, whichever pool it is in. */
const OF_DEFAULT_POOL = ['POOL_KEY', 'POOL_SEAL_KEY'];

/**
 * Whether halves of keys belong together where a process has both: a half that was left behind fits none of the other processes.
 */
export function keyPairsCheck(record: EnvironmentRecord): Check {
  return { name: 'keys', run: () => Promise.resolve(compare(record)) };
}

function compare(record: EnvironmentRecord): Finding | readonly Finding[] {
  const isElsewhere = (record['POOL'] ?? DEFAULT_POOL) !== DEFAULT_POOL;
  const pairs = PAIRS.filter(({ privateName }) => !(isElsewhere && OF_DEFAULT_POOL.includes(privateName)));
  const compared = pairs.flatMap((pair) => {
    const read = readEnv(record, { mine: pair.privateKeys, theirs: pair.publicKeys });
    // What cannot be read is a problem of the configuration, and reported there.
    if (read.kind === 'invalid') return [];
    const [mine, theirs] = [[read.values.mine ?? []].flat(), [read.values.theirs ?? []].flat()];
    if (mine.length === 0 || theirs.length === 0) return [];
    const isPair = mine.some((key) => theirs.some((other) => other.equals(publicKeyOf(key))));
    return [{ ...pair, isPair }];
  });
  if (compared.length === 0) return skip('this process has no two halves of one key');
  const strangers = compared.filter(({ isPair }) => !isPair);
  if (strangers.length > 0) return strangers.map(stranger);
  return ok(`the halves belong together: ${compared.map(({ privateName }) => privateName).join(', ')}`);
}

function stranger({ privateName, publicName }: KeyPair): Finding {
  return fail(
    `expected ${publicName} to have the public half of ${privateName}, found the half of another key; give all processes the files of one run of: nereid keys FOLDER`,
  );
}

function signing(privateName: string, publicName: string): KeyPair {
  return { privateName, publicName, privateKeys: env.privateKey(privateName), publicKeys: env.publicKeys(publicName) };
}

function sealing(privateName: string, publicName: string): KeyPair {
  return { privateName, publicName, privateKeys: env.openingKeys(privateName), publicKeys: env.sealingKey(publicName) };
}
