/** A repository on a git server, storage, and hosts that plan and apply it with the real Terraform of this machine. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { Secret, type PlanPolicy, type RepositoryEntry } from '@nereid/config';
import type { ApplyOutcome, PlannedOnHost, PlanOutcome, Reverting } from '@nereid/domain/deployment';
import { jobIdOf } from '@nereid/domain/host';
import { DEFAULT_POOL, type Root, type Step } from '@nereid/domain/root';
import { openDiscovery, type Discovery } from '@nereid/discovery';
import { startTestHost, type LfsStore, type TestFiles } from '@nereid/git/testing';
import {
  createBegunApplies,
  createJobLogs,
  createKeptPlans,
  openObjectStore,
  type BegunApplies,
} from '@nereid/storage';
import { createProviderCache } from '@nereid/terraform';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { AbortError } from 'p-retry';
import { pino } from 'pino';
import {
  TEST_KEYS,
  testSignatures,
  withGo,
  withOrder,
  type Applying,
  type TestJob,
} from '../../testing/test-signatures.ts';
import type { IdentityTokens } from '../../platform/tokens/identity/identity-tokens.ts';
import { createHost, type Host } from '../host.ts';
import { jobFolderIn } from '../job/workspace.ts';

export interface TestHosts {
  /** The plan of a new deployment of these files. The state of its root outlives every tree. */
  deploy(files: TestFiles, stepsBefore?: Partial<Root['steps']>): Promise<TestJob>;
  /** A preview of merging one change into another. */
  preview(change: {
    readonly base: TestFiles;
    readonly head: TestFiles;
    readonly expiresInMs?: number;
    readonly stepsBefore?: Partial<Root['steps']>;
    /** Whether its plan is kept for the merge. */
    readonly isForMerge?: boolean;
    /** Whether the merge removes the root. */
    readonly isRemoval?: boolean;
    /** The base alone is planned. */
    readonly reverts?: Reverting;
  }): Promise<TestJob>;
  /** The deployment of the squashed change, whose order names the plan of its preview as reviewed. */
  merge(change: { readonly head: TestFiles; readonly preview: TestJob; readonly plan: PlanOutcome }): Promise<TestJob>;
  openHost(options?: TestHostOptions): TestHost;
  /** From here on the work folder is that of another machine; the first one is `m1`. */
  goTo(machine: string): Promise<void>;
  /** The folders of deployments in the work folder. */
  deployments(): Promise<readonly string[]>;
  idleTrees(hostId: string): Promise<readonly string[]>;
  /** Undefined before the first apply. */
  state(): Promise<string | undefined>;
  readLog(job: TestJob): Promise<string>;
  /** Terraform's own text of a plan, by the digest that its host signed. */
  planText(job: TestJob, plan: PlanOutcome): Promise<string | undefined>;
  /** The one with more room. */
  wholePlanText(job: TestJob, plan: PlanOutcome): Promise<string | undefined>;
  /** Hosts that are opened from here on cannot store the texts of plans. */
  losePlanTexts(): void;
  /** Resolves once the log has this text. */
  logHas(job: TestJob, text: string): Promise<void>;
  /** Names of what is kept of plans. */
  keptPlans(): Promise<readonly string[]>;
  losePlan(job: TestJob): Promise<void>;
  readonly begunApplies: BegunApplies;
  /** The contents in Git LFS of the repository's server. */
  readonly lfs: LfsStore;
  /** A folder that code of roots can change. */
  readonly stateDir: string;
  /** As if the worker of `openHost()` had been killed before its applies ended. */
  loseOutcomes(): Promise<void>;
  /** Hosts that are opened from here on encrypt and decrypt with a new key only. */
  changePlanKey(): void;
  treeOf(job: TestJob): string;
  /** Where the commands of a job leave output and exit codes. */
  jobFolderOf(job: TestJob): string;
  close(): Promise<void>;
}

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

/** One for all tests of a file: its thread takes longer to start than to answer. */
const discovery = openDiscovery();

afterAll(() => discovery.close());

export async function startTestHosts(): Promise<TestHosts> {
  const git = await startTestHost();
  const workDir = join(git.dir, 'work');
  const stateDir = join(git.dir, 'state');
  await mkdir(stateDir);
  const stateFile = join(stateDir, 'terraform.tfstate');
  const store = await openObjectStore(`file:${join(git.dir, 'storage')}`);
  let keptPlans = createKeptPlans(store, [randomBytes(32)]).of(DEFAULT_POOL);
  const begunApplies = createBegunApplies(store).of(DEFAULT_POOL);
  let jobLogs = createJobLogs(store).of(DEFAULT_POOL);
  const opened: Host[] = [];
  let machine = 'm1';

  const readLog: TestHosts['readLog'] = async ({ jobId }) =>
    Buffer.from((await jobLogs.reader(jobId).read(0, 1_000_000)).bytes).toString();

  return {
    begunApplies,
    lfs: git.server.lfs,
    stateDir,
    readLog,
    async planText({ jobId }, plan) {
      const { textDigest } = plan.kind === 'planned' ? plan.plan.body : {};
      return textDigest === undefined ? undefined : (await jobLogs.planTexts.read(jobId, textDigest))?.text;
    },
    async wholePlanText({ jobId }, plan) {
      const { wholeTextDigest } = plan.kind === 'planned' ? plan.plan.body : {};
      return wholeTextDigest === undefined
        ? undefined
        : (await jobLogs.wholePlanTexts.read(jobId, wholeTextDigest))?.text;
    },
    losePlanTexts: () => {
      const planTexts = { ...jobLogs.planTexts, write: () => Promise.reject(new AbortError('the store is away')) };
      jobLogs = { ...jobLogs, planTexts };
    },
    async logHas(job, text) {
      for await (const event of jobLogs.reader(job.jobId).follow(0, { pollMs: 10 })) {
        if ((await readLog(job)).includes(text)) return;
        if (event.kind !== 'output') throw new Error(`expected ${text} in the log, found that it ended without`);
      }
    },
    async keptPlans() {
      const keys: string[] = [];
      for await (const key of store.list('plans/')) keys.push(key);
      return keys;
    },
    changePlanKey: () => {
      keptPlans = createKeptPlans(store, [randomBytes(32)]).of(DEFAULT_POOL);
    },
    losePlan: ({ deploymentId }) => keptPlans.remove(deploymentId),
    loseOutcomes: () => rm(join(git.dir, 'h1', 'outcomes'), { recursive: true, force: true }),
    jobFolderOf: (job) => jobFolderIn(workDir, job),
    treeOf: ({ deploymentId }) => join(workDir, deploymentId, 'repo'),
    async deploy(files, stepsBefore) {
      const sha = await git.upstream.commit({ files });
      const revision = { sha, branch: 'main', position: 1, title: 'a change', author: 'ada' };
      const job = {
        ...newIds(),
        repository: git.repository,
        root: aRoot(stateFile, stepsBefore),
        revision,
        requestedBy: 'ada',
      };
      return withOrder({ ...job, requestId: 'r1', trigger: 'merge', rerun: false, force: false });
    },
    async preview({ base, head, expiresInMs = 60_000, stepsBefore, isForMerge = false, isRemoval = false, reverts }) {
      const root = await git.upstream.commit({ files: {} });
      const baseSha = await git.upstream.commit({ files: base });
      const headSha = await git.upstream.commit({ files: head, branch: 'change', parent: root });
      const merged = await git.mirrors.merge(git.repository, { base: baseSha, head: headSha });
      const mergedSha = merged.kind === 'merged' ? merged.sha : headSha;
      const sha = isRemoval || reverts ? baseSha : mergedSha;
      const expiresAt = new Date(Date.now() + expiresInMs).toISOString();
      const kind = { ...(isForMerge && { forMerge: FOR_MERGE }), ...(isRemoval && { isRemoval }) };
      const preview = { headSha, baseSha, expiresAt, ...kind, ...(reverts && { reverts }) };
      const why = { requestId: 'r1', trigger: 'preview', rerun: false, force: false } as const;
      const order = { ...why, pullRequest: 12, preview };
      return withOrder({
        ...{ ...newIds(), repository: git.repository, requestedBy: 'ada', ...order },
        root: aRoot(stateFile, stepsBefore),
        revision: { sha, branch: 'main', position: 0, title: 'a change', author: 'ada' },
      });
    },
    async merge({ head, preview, plan }) {
      if (plan.kind !== 'planned') throw new Error(`expected a plan, found ${JSON.stringify(plan)}`);
      const sha = await git.upstream.commit({ files: head });
      const { deploymentId: previewId, root, repository, requestedBy } = preview;
      const who = { requestId: 'press', by: 'grace', at: '2026-01-31T14:30:00.000Z' };
      const what = { rootName: root.name, pullRequest: 12, previewId, order: preview.order.signature };
      const body = { version: 1, ...who, ...what, digest: plan.plan.body.digest, ...FOR_MERGE } as const;
      const reviewed = { review: { body, signature: 'of control' } };
      return withOrder({
        ...{ ...newIds(), repository, requestedBy, root },
        revision: { sha, branch: 'main', position: 3, title: 'a change', author: 'ada' },
        ...{ requestId: 'r2', trigger: 'merge', rerun: false, force: false, reviewed },
      });
    },
    openHost({
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
    } = {}) {
      const dataDir = join(git.dir, hostId);
      const envAllow = Object.keys(environment).filter((name) => !name.startsWith('PREVIEW_'));
      const envAllowPreview = Object.keys(environment).filter((name) => name.startsWith('PREVIEW_'));
      const sandbox = {
        sandbox: 'bubblewrap',
        sandboxRead: [],
        sandboxWrite: [stateDir],
        sharedState: [stateDir],
        sandboxProcesses: 4096,
        sandboxFileBytes: 1e9,
        treeBytes: 1e9,
        network: 'host',
        reachable: 'off',
        traces: false,
      } as const;
      const terraform = {
        distribution: 'terraform',
        downloads: false,
        envAllow,
        envAllowPlan: [],
        envAllowApply: [],
        envAllowPreview,
        volatileAttributes: [],
        ...sandbox,
        ...options,
      } as const;
      const host = createHost({
        config: configOf(dataDir, workDir, gitUrl),
        logger: pino({ level: 'silent' }),
        server: { current: () => ({ repositories, workflows: new Map(), pools: [], terraform, policies }) },
        discovery: { ...discovery, findInputs },
        readTokens: { tokenFor: token },
        identityTokens,
        mirrors: git.openMirrors({ hostId, dataDir }),
        providers: createProviderCache({ dir: join(dataDir, 'providers'), onProblem: fail }),
        begunApplies,
        keptPlans,
        jobLogs,
        signatures: testSignatures,
        hostId,
        environment: {
          ...environment,
          PATH: [...(programs === undefined ? [] : [programs]), process.env['PATH']].join(':'),
        },
      });
      opened.push(host);
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
    },
    async goTo(next) {
      await rename(workDir, join(git.dir, machine));
      await mkdir(join(git.dir, next), { recursive: true });
      await rename(join(git.dir, next), workDir);
      machine = next;
    },
    deployments: async () => (await namesIn(workDir)).filter((name) => name !== 'idle'),
    idleTrees: (hostId) => namesIn(join(workDir, 'idle', hostId, 'acme', 'infra')),
    state: () => readFile(stateFile, 'utf8').catch(() => undefined),
    async close() {
      await Promise.all(opened.map((host) => host.settled()));
      store.close();
      await git.close();
    },
  };
}

const NO_IDENTITIES: IdentityTokens = { tokenFor: () => Promise.reject(new Error('nobody has a key of identities')) };

/** What control verifies, and hosts only pass on. */
const FOR_MERGE = { tree: 'd'.repeat(40), lane: 'never applied' };

/** An activity at work. What it throws is asserted, not logged. */
export function anActivity(): MockActivityEnvironment {
  return new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
}

export type { Applying };

/** The apply of a plan that was made. */
export function applyOf(job: TestJob, plan: PlanOutcome): Applying {
  if (plan.kind !== 'planned') throw new Error(`expected a plan, found ${JSON.stringify(plan)}`);
  return { ...job, jobId: jobIdOf(job.deploymentId, 'apply', 1), digest: plan.plan.body.digest };
}

/** The next job of the same phase. */
export function nextJob<T extends TestJob>(job: T): T {
  const phase = 'digest' in job ? 'apply' : 'plan';
  const number = Number(job.jobId.split('-').at(-1));
  return { ...job, jobId: jobIdOf(job.deploymentId, phase, number + 1) };
}

function newIds(): Pick<TestJob, 'deploymentId' | 'jobId'> {
  const deploymentId = randomUUID();
  return { deploymentId, jobId: jobIdOf(deploymentId, 'plan', 1) };
}

function aRoot(stateFile: string, before: Partial<Root['steps']> = {}): Root {
  const init: Step = { kind: 'init', extraArgs: [`-backend-config=path=${stateFile}`] };
  return {
    name: 'network',
    dir: '.',
    workspace: 'default',
    distribution: 'terraform',
    planReview: 'required',
    queue: 'every',
    onFailure: 'continue',
    varFiles: [],
    timeoutMs: { plan: 3_600_000, apply: 3_600_000 },
    steps: {
      plan: [...(before.plan ?? []), init, { kind: 'plan', extraArgs: [] }],
      apply: [...(before.apply ?? []), { kind: 'apply', extraArgs: [] }],
    },
    permissions: {},
  };
}

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

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((): string[] => []);
}
