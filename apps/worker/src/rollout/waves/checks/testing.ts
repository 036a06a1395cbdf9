/** A merge whose first wave has checks: real requests, and a storage of its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readServerConfig, type RequestCheck, type WaveCheck } from '@nereid/config';
import type { Deployment } from '@nereid/domain/deployment';
import type { DomainEvent } from '@nereid/domain/events';
import { askGate, type WaveChecks } from '@nereid/domain/gates';
import { poolOf } from '@nereid/domain/root';
import { deploymentAt, progressAs, REPOSITORY, shaAt } from '@nereid/domain/testing';
import {
  createBegunApplies,
  createDeploymentRecords,
  createRolloutRecords,
  createWaveCheckRecords,
  openObjectStore,
  type ObjectStore,
} from '@nereid/storage';
import { openReceiver, type Receiver } from '@nereid/test-kit/receiver';
import { pino } from 'pino';
import { testSignatures } from '../../../testing/test-signatures.ts';
import { startRollout } from '../../start-rollout.ts';
import { notifyWaves } from '../notify-waves.ts';
import { soakFacts } from '../soak-facts.ts';
import type { CheckContext } from './check-rollout.ts';
import { createCheckRound } from './keep-checking.ts';

export const SHA = shaAt(1);
/** The id of the rollout. */
export const ID = `${SHA}/delivery-1`;
const ROOTS = ['app', 'dns', 'web'];

type CanaryContext = CheckContext & Parameters<typeof notifyWaves>[0];

export interface CheckedCanary {
  readonly context: CanaryContext;
  readonly store: ObjectStore;
  /** Answers the checks. */
  readonly server: Receiver;
  /** Of the server's file, for the canary. */
  checks: readonly WaveCheck[];
  /** The lanes that were woken. */
  told: string[];
  readonly events: readonly DomainEvent[];
  /** Due in each round. */
  aCheck(more?: Partial<RequestCheck>): RequestCheck;
  /** Merges, and deploys the roots of the canary. */
  deploy(rules?: { readonly soakMs?: number; readonly most?: number; readonly waves?: number }): Promise<void>;
  isDeployed(rootName: string, id?: string, revision?: number): Promise<void>;
  /** As its host stores it. */
  isApplied(deployment: Deployment): Promise<void>;
  /** As control stores the end of a deployment, now, as Temporal says, and tells others of it. */
  isStored(deployment: Deployment): Promise<void>;
  /** The answer to the last wave. */
  gate(inMs?: number): Promise<ReturnType<typeof askGate>>;
  /** So many rounds of a worker that has just begun. */
  check(rounds?: number): Promise<void>;
  /** How often the server was asked. */
  asked(): number;
  stored(): Promise<WaveChecks | undefined>;
  close(): Promise<void>;
}

export async function openCheckedCanary(): Promise<CheckedCanary> {
  const folder = await mkdtemp(join(tmpdir(), 'nereid-checks-'));
  const store = await openObjectStore(`file:${folder}`, {});
  const server = await openReceiver();
  const events: DomainEvent[] = [];
  const context = contextOf(store, {
    checks: () => canary.checks,
    onTold: (id) => void canary.told.push(id),
    onEvents: (published) => void events.push(...published),
  });
  const aCheck = (more: Partial<RequestCheck> = {}): RequestCheck => {
    const target = { kind: 'http', url: `${server.url}/healthz` } as const;
    return { name: 'page', everyMs: 0, failures: 2, timeoutMs: 60_000, target, ...more };
  };
  const canary: CheckedCanary = {
    ...{ context, store, server, events, told: [], checks: [aCheck()], aCheck },

    async deploy({ soakMs = 0, most = 1, waves = 1 } = {}) {
      await startRollout(context, {
        ...{ repository: REPOSITORY, sha: SHA, source: 'delivery-1', ordering: [], stopped: [], unfinished: [] },
        roots: ROOTS.map((root) => ({ name: root })),
        waves: ['canary', 'some'].slice(0, waves).map((name) => ({ name, rootNames: ROOTS, most, soakMs })),
        ...{ isOfBranch: true, isRerun: false },
      });
      for (const rootName of ROOTS.slice(0, most)) await canary.isDeployed(rootName);
    },

    async isDeployed(rootName, id, revision) {
      const deployment = deploymentOf(rootName, 'succeeded', id, revision);
      await canary.isApplied(deployment);
      await canary.isStored(deployment);
    },

    async isApplied({ id, root }) {
      const applies = context.begunApplies.of(poolOf(root));
      await applies.begin(id, { hostId: 'host-1', jobId: `${id}-apply-1` });
      const counts = { added: 1, changed: 0, destroyed: 0, imported: 0 };
      await applies.complete(id, { kind: 'applied', counts });
    },

    async isStored(deployment) {
      const { root, together } = deployment;
      if (together !== undefined)
        await context.rolloutRecords.end(REPOSITORY, ID, root.name, { kind: 'ended', status: 'succeeded' });
      const endedAt = new Date().toISOString();
      await context.deploymentRecords.write({ version: 1, repository: REPOSITORY, deployment, endedAt });
      await notifyWaves(context, REPOSITORY, deployment);
    },

    async gate(inMs = 0) {
      const facts = await soakFacts(context, REPOSITORY, deploymentOf('web', 'queued'));
      return askGate('soak', facts, Date.now() + inMs);
    },

    async check(rounds = 1) {
      for (let round = 0; round < rounds; round += 1) await createCheckRound(context)();
    },

    asked: () => server.received().length,

    stored: async () => (await context.waveCheckRecords.read(REPOSITORY, ID, 1))?.checks.body,

    async close() {
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
  return canary;
}

/** Of the merge, or of a later or earlier revision. */
export function deploymentOf(
  rootName: string,
  status: Deployment['progress']['status'],
  id = '1',
  revision = 1,
): Deployment {
  const deployment = deploymentAt(revision);
  return {
    ...deployment,
    id: `${rootName}-${id}`,
    root: { ...deployment.root, name: rootName },
    ...(revision === 1 && { together: { rollout: ID, waves: ID } }),
    progress: progressAs(status),
  };
}

interface Heard {
  readonly checks: () => readonly WaveCheck[];
  readonly onTold: (laneId: string) => void;
  readonly onEvents: (events: readonly DomainEvent[]) => void;
}

function contextOf(store: ObjectStore, { checks, onTold, onEvents }: Heard): CanaryContext {
  const file = readFile();
  return {
    rolloutRecords: createRolloutRecords(store),
    waveCheckRecords: createWaveCheckRecords(store),
    deploymentRecords: createDeploymentRecords(store),
    begunApplies: createBegunApplies(store),
    signatures: testSignatures,
    server: { current: () => ({ ...file, waves: [{ name: 'canary', checks: checks() }] }) },
    publish: (...published: readonly DomainEvent[]) => {
      onEvents(published);
      return Promise.resolve();
    },
    logger: pino({ level: 'silent' }),
    mirrors: { isKnownAncestor: (_: unknown, one: string, other: string) => Promise.resolve(one <= other) },
    forge: { commits: { compare: () => Promise.reject(new Error('GitHub was asked')) } },
    temporal: {
      withDeadline: (_deadline: number, act: () => Promise<unknown>) => act(),
      workflow: {
        getHandle: (id: string) => ({
          signal: () => {
            onTold(id);
            return Promise.resolve();
          },
          describe: atWork,
        }),
      },
    },
  } as unknown as CanaryContext; // What is used of it.
}

/** A host is at work on each check that is a command. */
function atWork() {
  return Promise.resolve({ status: { name: 'RUNNING' }, startTime: new Date() });
}

function readFile() {
  const storage = 'storage: { deployments: "file:/s", plans: "file:/s", logs: "file:/s" }';
  const read = readServerConfig(`repositories: [{ match: acme/* }]\n${storage}`);
  if (read.kind === 'invalid') throw new Error(JSON.stringify(read.problems));
  return read.config;
}
