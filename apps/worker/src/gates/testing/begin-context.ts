/** What permission to apply depends on besides its request. */
import { readServerConfig } from '@nereid/config';
import type { BegunApply, DeploymentRecord } from '@nereid/domain/deployment';
import { NO_LEASES, type Leases, type PoolStop, type Stop } from '@nereid/domain/gates';
import type { HostRecord } from '@nereid/domain/host';
import type { BreakGlass } from '@nereid/domain/plan';
import type { Signed } from '@nereid/domain/signed';
import { deploymentAt, NOW, REPOSITORY } from '@nereid/domain/testing';
import {
  createBegunApplies,
  createDeploymentRecords,
  createHostRecords,
  createLaneTurns,
  createRolloutRecords,
  createWaveCheckRecords,
  type BudgetLeases,
  type LaneTurns,
} from '@nereid/storage';
import { pino } from 'pino';
import type { Signatures } from '../../platform/keys/signatures.ts';
import { testSignatures } from '../../testing/test-signatures.ts';
import type { BeginContext } from '../begin.ts';
import { NOTHING } from '../../testing/nothing-stored.ts';
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
  /** Its `budgets`. */
  readonly budgets?: string;
  /** In storage, by the names of their budgets; those of plans are at `plan <name>`. */
  readonly leases?: Map<string, Leases>;
  /** By the ids of deployments. */
  readonly begun?: Readonly<Record<string, Partial<BegunApply>>>;
  /** In storage. */
  readonly hosts?: readonly HostRecord[];
  /** Is told of each deployment, or lane, that may ask again. */
  readonly onRing?: (workflowId: string) => void;
  /** In storage. */
  readonly stops?: readonly Signed<Stop>[];
  /** In storage. */
  readonly poolStops?: readonly Signed<PoolStop>[];
  /** In storage. */
  readonly glass?: readonly Signed<BreakGlass>[];
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
  budgets = '[]',
  leases = new Map<string, Leases>(),
  begun = {},
  hosts = [],
  onRing = () => undefined,
  stops = [],
  poolStops = [],
  glass = [],
}: World = {}): BeginContext {
  const read = readServerConfig(
    `${STORAGE}repositories: ${repositories}\npolicies: ${policies}\nwindows: ${windows}\nbudgets: ${budgets}`,
  );
  if (read.kind !== 'ok') throw new Error(JSON.stringify(read.problems));
  const { config } = read;
  const deploymentRecords = createDeploymentRecords(NOTHING);
  const begunApplies = createBegunApplies(NOTHING);
  return {
    signatures,
    server: { current: () => config },
    laneTurns: { ...createLaneTurns(NOTHING), change: turn },
    mirrors: { isKnownAncestor: () => Promise.resolve(isAhead) },
    forge: { commits: { compare: () => Promise.reject(new Error('expected git to know both commits')) } },
    begunApplies: {
      of: (pool) => ({ ...begunApplies.of(pool), read: (id) => Promise.resolve(markerOf(begun[id])) }),
    },
    budgetLeases: leasesIn(leases),
    hostRecords: { ...createHostRecords(NOTHING), list: () => Promise.resolve(hosts) },
    temporal: ringing(onRing),
    rolloutRecords: createRolloutRecords(NOTHING),
    waveCheckRecords: createWaveCheckRecords(NOTHING),
    stopRecords: {
      read: () => Promise.resolve({ stops, glass }),
      readPools: () => Promise.resolve({ stops: poolStops, thawed: [] }),
    },
    deploymentRecords: { ...deploymentRecords, find: () => Promise.resolve(hasEnded ? ENDED : undefined) },
    publish: publishTo(audit),
    logger: pino({ level: 'silent' }),
  };
}

const ENDED: DeploymentRecord = { version: 1, repository: REPOSITORY, deployment: deploymentAt(1), endedAt: NOW };

function markerOf(known: Partial<BegunApply> | undefined): BegunApply | undefined {
  return known && { version: 1, hostId: 'h1', jobId: 'j1', at: NOW, ...known };
}

/** Keeps the leases as storage does. */
function leasesIn(kept: Map<string, Leases>): BudgetLeases {
  return {
    async change({ name, door }, change) {
      const key = door === 'plan' ? `plan ${name}` : name;
      const answer = await change(kept.get(key) ?? NO_LEASES);
      if (answer.leases !== undefined) kept.set(key, answer.leases);
      return answer;
    },
  };
}

function ringing(onRing: (workflowId: string) => void): BeginContext['temporal'] {
  return {
    withDeadline: (_at, call) => call(),
    workflow: {
      getHandle: (id) => ({
        signal: () => {
          onRing(id);
          return Promise.resolve();
        },
      }),
    },
  };
}
