/** A repository on a git server, storage, and hosts that plan and apply it with the real Terraform of this machine. */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlanOutcome } from '@nereid/domain/deployment';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { afterEach, beforeEach } from '@jest/globals';
import { startTestHost, type LfsStore } from '@nereid/git/testing';
import {
  createBegunApplies,
  createJobLogs,
  createKeptPlans,
  openObjectStore,
  type BegunApplies,
} from '@nereid/storage';
import { AbortError } from 'p-retry';
import type { TestJob } from '../../testing/test-signatures.ts';
import type { Host } from '../host.ts';
import { jobFolderIn } from '../job/workspace.ts';
import { openTestHost, type TestHost, type TestHostOptions } from './open-test-host.ts';
import { createTestJobs, type TestJobs } from './test-jobs.ts';

export interface TestHosts extends TestJobs {
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

/** Those of the test that runs: opened before each test of the file, and closed after it. */
export function hostsOfEachTest(): TestHosts {
  const hosts = {} as TestHosts; // Tests find them in it.
  beforeEach(async () => {
    Object.assign(hosts, await startTestHosts());
  });
  afterEach(() => hosts.close());
  return hosts;
}

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
    ...createTestJobs(git, stateFile),
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
    openHost(options = {}) {
      const opening = openTestHost({ git, workDir, stateDir, begunApplies, keptPlans, jobLogs }, options);
      opened.push(opening.host);
      return opening;
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

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((): string[] => []);
}
