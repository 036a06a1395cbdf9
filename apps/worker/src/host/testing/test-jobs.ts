/** The jobs of hosts in tests: signed orders for commits of a repository on a git server. */
import { randomUUID } from 'node:crypto';
import type { PlanOutcome, Reverting } from '@nereid/domain/deployment';
import { jobIdOf } from '@nereid/domain/host';
import type { Root, Step } from '@nereid/domain/root';
import { aRoot } from '@nereid/domain/testing';
import type { TestFiles, TestHost as GitOnHost } from '@nereid/git/testing';
import { withOrder, type Applying, type TestJob } from '../../testing/test-signatures.ts';

export interface TestJobs {
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
}

export function createTestJobs(git: GitOnHost, stateFile: string): TestJobs {
  return {
    async deploy(files, stepsBefore) {
      const sha = await git.upstream.commit({ files });
      const revision = { sha, branch: 'main', position: 1, title: 'a change', author: 'ada' };
      const job = {
        ...newIds(),
        repository: git.repository,
        root: rootWith(stateFile, stepsBefore),
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
        root: rootWith(stateFile, stepsBefore),
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
  };
}

/** What control verifies, and hosts only pass on. */
const FOR_MERGE = { tree: 'd'.repeat(40), lane: 'never applied' };

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

function rootWith(stateFile: string, before: Partial<Root['steps']> = {}): Root {
  const init: Step = { kind: 'init', extraArgs: [`-backend-config=path=${stateFile}`] };
  const steps: Root['steps'] = {
    plan: [...(before.plan ?? []), init, { kind: 'plan', extraArgs: [] }],
    apply: [...(before.apply ?? []), { kind: 'apply', extraArgs: [] }],
  };
  return { ...aRoot(), dir: '.', steps };
}
