/** What permission to apply depends on besides its request. */
import { readServerConfig } from '@nereid/config';
import type { Stop } from '@nereid/domain/gates';
import type { Signed } from '@nereid/domain/signed';
import type { LaneTurns } from '@nereid/storage';
import { pino } from 'pino';
import type { Signatures } from '../../platform/keys/signatures.ts';
import { testSignatures } from '../../testing/test-signatures.ts';
import type { begin } from '../begin.ts';
import { publishTo } from '../../testing/publish-to.ts';

export interface World {
  readonly signatures?: Signatures;
  /** Whether storage holds the deployment's end. */
  readonly hasEnded?: boolean;
  readonly audit?: (event: object) => Promise<void>;
  /** Answers whether it is the deployment's turn in its lane. */
  readonly turn?: LaneTurns['change'];
  /** Whether what is deployed is a part of what is to be deployed. */
  readonly isAhead?: boolean;
  /** The `repositories` of the server's file. */
  readonly repositories?: string;
  /** Its `policies`. */
  readonly policies?: string;
  /** Its `windows`. */
  readonly windows?: string;
  /** In storage. */
  readonly stops?: readonly Signed<Stop>[];
}

const STORAGE =
  'terraform: { version: "1.11.4" }\nstorage: { deployments: "file:/s", plans: "file:/s", logs: "file:/s" }\n';

const nothing = async (): Promise<void> => undefined;

export function beginContext({
  signatures = testSignatures,
  hasEnded = false,
  audit = nothing,
  turn = nothing,
  isAhead = true,
  repositories = '[{ match: "*/*", plan_review: auto }]',
  policies = '[]',
  windows = '[]',
  stops = [],
}: World = {}): Parameters<typeof begin>[0] {
  const read = readServerConfig(`${STORAGE}repositories: ${repositories}\npolicies: ${policies}\nwindows: ${windows}`);
  if (read.kind !== 'ok') throw new Error(JSON.stringify(read.problems));
  return {
    signatures,
    server: { current: () => read.config },
    laneTurns: { change: turn },
    mirrors: { isKnownAncestor: () => Promise.resolve(isAhead) },
    begunApplies: { of: () => ({ read: () => Promise.resolve(undefined) }) },
    rolloutRecords: { read: () => Promise.resolve(undefined) },
    stopRecords: { read: () => Promise.resolve(stops) },
    deploymentRecords: { find: () => Promise.resolve(hasEnded ? {} : undefined) },
    publish: publishTo(audit),
    logger: pino({ level: 'silent' }),
  } as unknown as Parameters<typeof begin>[0]; // What it asks for.
}
