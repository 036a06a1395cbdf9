/** A host of tests: the product's own, with the real Terraform of this machine, and settings as a test wants them. */
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { Secret, type PlanPolicy, type RepositoryEntry } from '@nereid/config';
import { openDiscovery, type Discovery } from '@nereid/discovery';
import type { ApplyOutcome, PlannedOnHost, PlanOutcome } from '@nereid/domain/deployment';
import { DEFAULT_POOL } from '@nereid/domain/root';
import type { TestHost as GitOnHost } from '@nereid/git/testing';
import { createProviderCache } from '@nereid/terraform';
import type { MockActivityEnvironment } from '@temporalio/testing';
import { pino } from 'pino';
import type { IdentityTokens } from '../../platform/tokens/identity/identity-tokens.ts';
import { TEST_KEYS, testSignatures, withGo, type Applying, type TestJob } from '../../testing/test-signatures.ts';
import { createHost, type Host } from '../host.ts';
import type { HostContext } from '../job/tools.ts';
import { anActivity } from './an-activity.ts';
import { terraformSettings } from './terraform-settings.ts';

export interface TestHostOptions {
  readonly hostId?: string;
  /** In place of the real one. */
  readonly findInputs?: Discovery['findInputs'];
  /** A folder that comes first in PATH. */
  readonly programs?: string;
  /** GitHub's answer when it is asked for a token; default: one. */
  readonly token?: () => Promise<string>;
  /** Where modules are fetched with it; default: the server of the repository. */
  readonly gitUrl?: string;
  /** The part of the worker's environment that Terraform gets too: previews those called `PREVIEW_…`, deployments the others. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Default: bubblewrap. */
  readonly sandbox?: 'bubblewrap' | 'none';
  /** What commands reach of the network; default: all that the host reaches. */
  readonly network?: 'host' | 'none';
  /** What commands can read besides their own files. */
  readonly sandboxRead?: readonly string[];
  /** Where the files of `env_from` are. */
  readonly secretsFolder?: string;
  /** What judges its plans; default: nothing. */
  readonly policies?: readonly PlanPolicy[];
  /** What the server's file says of repositories; default: nothing. */
  readonly repositories?: readonly RepositoryEntry[];
  /** Who says to clouds what a job is; default: nobody can. */
  readonly identityTokens?: IdentityTokens;
  /** How much a working tree may take; default: a gigabyte. */
  readonly treeBytes?: number;
  /** How many slots it has; default: as many as the product gives it. */
  readonly parallelRuns?: number;
}

export interface TestHost {
  readonly host: Host;
  readonly plan: (job: TestJob, activity?: MockActivityEnvironment) => Promise<PlanOutcome>;
  /** With `beginBy`, as if the time until then had passed since the job was taken. */
  readonly apply: (job: Applying, activity?: MockActivityEnvironment, beginBy?: string) => Promise<ApplyOutcome>;
  readonly inspect: (job: Applying, activity?: MockActivityEnvironment) => Promise<ApplyOutcome>;
}

/** What all hosts of a test share. */
export interface HostSurroundings extends Pick<HostContext, 'begunApplies' | 'keptPlans' | 'jobLogs'> {
  readonly git: GitOnHost;
  readonly workDir: string;
  readonly stateDir: string;
}

/** One for all tests of a file: its thread takes longer to start than to answer. */
const discovery = openDiscovery();

afterAll(() => discovery.close());

export function openTestHost(
  { git, workDir, stateDir, ...storage }: HostSurroundings,
  {
    hostId = 'h1',
    programs,
    token = async () => 'the-token-of-the-app',
    environment = {},
    gitUrl = git.server.url,
    policies = [],
    repositories = [],
    identityTokens = NO_IDENTITIES,
    findInputs = discovery.findInputs.bind(discovery),
    ...options
  }: TestHostOptions,
): TestHost {
  const dataDir = join(git.dir, hostId);
  const envAllow = Object.keys(environment).filter((name) => !name.startsWith('PREVIEW_'));
  const envAllowPreview = Object.keys(environment).filter((name) => name.startsWith('PREVIEW_'));
  const terraform = terraformSettings({
    ...{ envAllow, envAllowPreview, sandboxWrite: [stateDir], sharedState: [stateDir], reachable: 'off' },
    ...options,
  });
  const host = createHost({
    config: configOf(dataDir, workDir, gitUrl),
    logger: pino({ level: 'silent' }),
    server: { current: () => ({ repositories, workflows: new Map(), pools: [], terraform, policies }) },
    discovery: { ...discovery, findInputs },
    readTokens: { tokenFor: token },
    identityTokens,
    mirrors: git.openMirrors({ hostId, dataDir }),
    providers: createProviderCache({ dir: join(dataDir, 'providers'), onProblem: fail }),
    ...storage,
    signatures: testSignatures,
    hostId,
    environment: {
      ...environment,
      PATH: [...(programs === undefined ? [] : [programs]), process.env['PATH']].join(':'),
    },
  });
  return {
    host,
    plan: async (job, activity = anActivity()) => {
      const { activities } = host.claims.deployment;
      const planned: PlannedOnHost = await activity.run(() => activities.claimAndPlan(job));
      return planned.outcome;
    },
    apply: async (job, activity = anActivity(), beginBy) => {
      const leave = await withGo({ ...job, hostId }, undefined, false, beginBy);
      return activity.run(() => host.hostActivities.applyOnHost(leave));
    },
    inspect: async (job, activity = anActivity()) => {
      const leave = await withGo({ ...job, hostId });
      return activity.run(() => host.hostActivities.inspectApply(leave));
    },
  };
}

const NO_IDENTITIES: IdentityTokens = { tokenFor: () => Promise.reject(new Error('nobody has a key of identities')) };

function fail(problem: unknown): never {
  throw problem;
}

function configOf(dataDir: string, workDir: string, url: string) {
  return {
    pool: DEFAULT_POOL,
    dataDir,
    workDir,
    github: { app: { id: 1, privateKey: new Secret('the-key-of-the-app') }, apiUrl: url, url },
    links: { consoleUrl: url, key: undefined, keyedRepositories: 'private' as const, temporalUiUrl: undefined },
    planKeys: undefined,
    signingKeys: TEST_KEYS,
    sealKeys: { publicKey: undefined, privateKeys: [] },
    issuer: undefined,
    traces: undefined,
    // What still runs when a host drains is stopped at once.
    grace: { hostMs: 0, showMs: 0, controlMs: 0 },
  };
}
