/** After a failed apply: which plan to go back is ordered, when none is, and what people read once a host has made it. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { hasEnded, revertIdOf, type Deployment, type Progress, type Reverting } from '@nereid/domain/deployment';
import type { Ending } from '@nereid/domain/deployment-actor';
import { NO_CHANGES, type MadePlan } from '@nereid/domain/plan';
import type { Repository } from '@nereid/domain/root';
import { aDeployment, aFailure } from '@nereid/domain/testing';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { intakeStageOfThisFile } from '../../intake/testing/intake-stage.ts';
import { BACKEND, DIGEST, type OwnCheckRun, type StagedRepository } from '../../intake/testing/staged-repository.ts';
import { createLaneActivities } from '../../lane-activities.ts';
import type { WorkerContext } from '../../platform/context.ts';
import { prepareRevert } from './prepare-revert.ts';

const stage = intakeStageOfThisFile();

const failure = aFailure({ summary: 'Error: quota', lines: ['Error: quota'] });

interface Failed {
  readonly infra: StagedRepository;
  readonly good: Deployment;
  readonly failed: Deployment;
  readonly checkRun: OwnCheckRun;
  /** Of the pull request that brought the failed revision. */
  readonly number: number;
}

/** An id as control makes them. */
const anId = () => randomUUID().replace(/^(.{14})4(.{4})./, '$18$28');

/** A root that was applied, and then a merge whose apply failed. */
async function aFailedApply(progress: Partial<Progress> = {}, more: Partial<Deployment> = {}): Promise<Failed> {
  const infra = await stage.repository({ 'network/main.tf': BACKEND });
  // Merges do not know their pull requests.
  const { pullRequest: _none, ...sample } = aDeployment({ status: 'queued' });
  const base = { ...sample, ...more };
  const root = { ...base.root, name: 'network', dir: 'network' };
  const at = async (sha: string, position: number, state: Pick<Progress, 'status'> & Partial<Progress>) => {
    const revision = { ...base.revision, sha, position };
    const whole = { ...base, id: anId(), root, revision, progress: { times: {}, jobs: {}, ...state } };
    return infra.recordEnded(whole);
  };
  const counts = { added: 1, changed: 0, destroyed: 0, imported: 0 };
  const good = await at(await infra.head(), 41, { status: 'succeeded', applied: counts });
  const { number } = await infra.pullRequest({ 'network/more.tf': '# more\n' });
  const ref = { repository: infra.fullName, number };
  const sha = await stage.standIn.mergePullRequest(ref, { kind: 'squash', by: 'ada' });
  const failed = await at(sha, 42, { status: 'apply-failed', failure, ...progress });
  await infra.lane('network').applied(good, 'applied');
  await infra.lane('network').applied(failed, 'failed');
  await stage.context.laneTurns.change(infra.repository, 'network', (turn) =>
    Promise.resolve(turn && { ...turn, deployed: good }),
  );
  const checkRun = await infra.ownCheckRun('network', sha, { externalId: failed.id, title: 'Error: quota' });
  return { infra, good, failed, checkRun, number };
}

function prepare({ infra, failed }: Failed, context: WorkerContext = stage.context): Promise<string> {
  const request = { version: 1, repository: infra.repository, rootName: 'network', deploymentId: failed.id } as const;
  return prepareRevert({ context, signal: new AbortController().signal }, request);
}

async function storedPlan({ infra, failed }: Failed): Promise<Deployment | undefined> {
  const { pullRequestRecords } = stage.context;
  return (await pullRequestRecords.readPreview(infra.repository, 'network', revertIdOf(failed.id)))?.deployment;
}

async function thePlan(failed: Failed): Promise<Deployment> {
  const plan = await storedPlan(failed);
  if (plan === undefined) throw new Error('expected a plan to go back, found none');
  return plan;
}

describe('after a failed apply of a merge', () => {
  test('the last good revision is ordered as a read-only plan, once, and its workflow runs', async () => {
    const one = await aFailedApply();
    const { infra, good, failed, number } = one;

    const said = await prepare(one);
    const plan = await thePlan(one);
    await prepare(one);

    expect(said).toContain(revertIdOf(failed.id));
    expect(plan).toMatchObject({
      trigger: 'preview',
      revision: { sha: good.revision.sha },
      root: { name: 'network', dir: 'network' },
      preview: {
        headSha: failed.revision.sha,
        baseSha: good.revision.sha,
        reverts: { deploymentId: failed.id, pullRequest: number, deployedAt: expect.any(String), between: 0 },
      },
    });
    expect(await thePlan(one)).toEqual(plan);
    const { status } = await stage.context.temporal.workflow.getHandle(plan.id).describe();
    expect(status.name).toBe('RUNNING');
    expect(infra.checkRuns()).toHaveLength(1);
  });

  test('nobody is sent to a pull request that only has the commit, and is not merged', async () => {
    const one = await aFailedApply();
    const { number } = await one.infra.pullRequest({ 'network/other.tf': '# other\n' });
    const commits = { ...stage.context.forge.commits, pullRequests: () => Promise.resolve([number]) };

    await prepare(one, { ...stage.context, forge: { ...stage.context.forge, commits } });

    const { reverts } = (await thePlan(one)).preview ?? {};
    expect(reverts).toMatchObject({ deploymentId: one.failed.id });
    expect([reverts?.pullRequest, reverts?.toPullRequest]).toEqual([undefined, undefined]);
  });

  test('a plan that no host takes ends by itself', async () => {
    const one = await aFailedApply();

    await prepare(one);

    const { raw } = await stage.context.temporal.workflow.getHandle(revertIdOf(one.failed.id)).describe();
    expect(Number(raw.executionConfig?.workflowExecutionTimeout?.seconds)).toBe(2 * 3_600);
  });

  test('an interrupted apply gets one once its host has said that it failed', async () => {
    const interrupted = await aFailedApply({ status: 'apply-outcome-unknown' });

    await prepare(interrupted);

    expect(await storedPlan(interrupted)).toBeDefined();
  });
});

describe('nothing is planned', () => {
  test('where nothing was applied before', async () => {
    const one = await aFailedApply();
    await stage.context.laneTurns.change(one.infra.repository, 'network', (turn) => {
      const { deployed: _none, ...rest } = turn ?? {};
      return Promise.resolve(rest);
    });

    expect(await prepare(one)).toContain('nothing is known to have been applied to network');
    expect(await storedPlan(one)).toBeUndefined();
  });

  test('where another deployment was applied since', async () => {
    const one = await aFailedApply();
    await stage.context.laneTurns.change(one.infra.repository, 'network', (turn) => {
      const last = turn?.last && { ...turn.last, deployment: { ...turn.last.deployment, id: anId() } };
      return Promise.resolve(turn && last && { ...turn, last });
    });

    expect(await prepare(one)).toContain('another deployment of network was applied since');
  });

  test('where the same revision was applied before', async () => {
    const one = await aFailedApply();
    await stage.context.laneTurns.change(one.infra.repository, 'network', (turn) =>
      Promise.resolve(turn && { ...turn, deployed: { ...one.good, revision: one.failed.revision } }),
    );

    expect(await prepare(one)).toContain('was applied with success before');
  });

  test('where that revision has no such root', async () => {
    const one = await aFailedApply();
    const sha = await one.infra.commit({ 'network/main.tf': null, 'network/more.tf': null });
    await stage.context.laneTurns.change(one.infra.repository, 'network', (turn) =>
      Promise.resolve(turn && { ...turn, deployed: { ...one.good, revision: { ...one.good.revision, sha } } }),
    );

    expect(await prepare(one)).toContain('has no root network');
  });

  test('where the root was in another workspace', async () => {
    const one = await aFailedApply({}, { root: { ...aDeployment({ status: 'queued' }).root, workspace: 'blue' } });

    expect(await prepare(one)).toContain('was in another directory or workspace');
  });

  test('after a deployment by hand, which no revert takes back', async () => {
    const one = await aFailedApply({}, { trigger: 'manual' });

    expect(await prepare(one)).toContain('there is no failed apply');
  });

  test.each<Partial<Progress>>([{ status: 'succeeded' }, { status: 'plan-failed' }, { status: 'rejected' }])(
    'after a deployment that is $status, whoever asks',
    async (progress) => {
      const one = await aFailedApply(progress);

      expect(await prepare(one)).toContain('there is no failed apply');
    },
  );

  test('where the server’s file says so', async () => {
    const one = await aFailedApply();
    const current = stage.context.server.current();
    const repositories = current.repositories.map((entry) => ({
      ...entry,
      settings: { ...entry.settings, prepareRevert: false },
    }));
    const server = { current: () => ({ ...current, repositories }) };

    expect(await prepare(one, { ...stage.context, server })).toBe('prepare_revert is false');
  });
});

/** As its workflow says that it ended. */
async function end(repository: Repository, deployment: Deployment): Promise<unknown> {
  const endedAt = new Date().toISOString();
  const ending: Ending = {
    ...{ record: { version: 1, repository, deployment, endedAt }, audits: [], deletesPlan: false },
    show: {},
  };
  const activities = createLaneActivities(stage.context);
  return new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') }).run(() =>
    activities.endDeployment(ending),
  );
}

async function asPlanned(plan: Deployment): Promise<Deployment> {
  const { id, order = '', receivedAt } = plan;
  const summary = { ...NO_CHANGES, update: 2, delete: 1, resources: [], omitted: 0 };
  const body = { version: 1, deploymentId: id, order, digest: DIGEST, hasChanges: true, summary } as const;
  const shown = { made: await stage.context.signatures.enclose('result/plan', body), reviewRequired: false };
  return { ...plan, progress: { status: 'planned', times: { planned: receivedAt }, jobs: {}, plan: shown } };
}

describe('once it is planned', () => {
  test('the check run of the failed apply says what going back would do, and links to the plan and the pull request', async () => {
    const one = await aFailedApply();
    const { infra, good, checkRun, number } = one;
    await prepare(one);
    const plan = await thePlan(one);

    await end(infra.repository, await asPlanned(plan));

    const summary = infra.shown(checkRun)?.output.summary ?? '';
    const day = new Date().toISOString().slice(0, 10);
    expect(summary).toContain(
      `Going back to ${good.revision.sha.slice(0, 7)} (deployed ${day}) would destroy 1, change 2. [See the plan](`,
    );
    expect(summary).toContain(`/deployments/${plan.id}?`);
    expect(summary).toContain(
      `To go back, press **Revert** on [#${number}](${stage.standIn.url}/${infra.fullName}/pull/${number}).`,
    );
    expect(infra.shown(checkRun)?.conclusion).toBe('failure');
    stage.standIn.assertNoRefusedRequests();
  });

  test('the check run of an apply that failed late says so, too', async () => {
    const one = await aFailedApply({ status: 'apply-outcome-unknown' });
    await prepare(one);

    await end(one.infra.repository, await asPlanned(await thePlan(one)));

    expect(one.infra.shown(one.checkRun)?.output.summary).toMatch(
      /^> \[!WARNING]\n> The apply that was interrupted has failed meanwhile[^]*Going back to /,
    );
  });

  test('nothing is said once another deployment was applied', async () => {
    const one = await aFailedApply();
    await prepare(one);
    await stage.context.laneTurns.change(one.infra.repository, 'network', (turn) => {
      const last = turn?.last && { ...turn.last, deployment: { ...turn.last.deployment, id: anId() } };
      return Promise.resolve(turn && last && { ...turn, last });
    });

    await end(one.infra.repository, await asPlanned(await thePlan(one)));

    expect(one.infra.shown(one.checkRun)?.output.summary).not.toContain('Going back to ');
  });

  test('a plan that no host signed is shown nowhere', async () => {
    const one = await aFailedApply();
    const { infra, checkRun } = one;
    await prepare(one);
    const { progress, ...plan } = await asPlanned(await thePlan(one));
    const body = { ...progress.plan?.made.body, hasChanges: false } as MadePlan; // It has been planned.

    for (const signature of ['', progress.plan?.made.signature ?? '']) {
      const forged = { ...progress, plan: { made: { body, signature }, reviewRequired: false } };
      await expect(end(infra.repository, { ...plan, progress: forged })).rejects.toMatchObject({ type: 'FORGED' });
    }

    expect(infra.shown(checkRun)?.output.summary).toBe('What failed.');
    expect(hasEnded((await thePlan(one)).progress.status)).toBe(false);
  });

  test('a plan that nobody ordered, or was ordered to go back from another deployment, is shown nowhere', async () => {
    const one = await aFailedApply();
    const other = await aFailedApply();
    const { infra, checkRun } = one;
    await prepare(one);
    await prepare(other);
    const plan = await asPlanned(await thePlan(one));
    const reverts = { deploymentId: one.failed.id, between: 0 };
    const elsewhere = await asPlanned(await thePlan(other));

    for (const deployment of [goingBackFrom(plan, { ...reverts, pullRequest: 666 }), goingBackFrom(elsewhere, reverts)])
      await expect(end(infra.repository, deployment)).rejects.toMatchObject({ type: 'FORGED' });

    expect(infra.shown(checkRun)?.output.summary).toBe('What failed.');
  });
});

function goingBackFrom({ preview, ...plan }: Deployment, reverts: Reverting): Deployment {
  return { ...plan, ...(preview && { preview: { ...preview, reverts } }) };
}

test('a failed apply asks for its plan when its end is stored, once', async () => {
  const one = await aFailedApply();
  const { infra, failed } = one;

  await end(infra.repository, failed);
  await end(infra.repository, failed);

  const asked = stage.context.temporal.workflow.getHandle(`revert/${failed.id}`);
  const [event] = (await asked.fetchHistory()).events ?? [];
  expect(event?.workflowExecutionStartedEventAttributes?.workflowType?.name).toBe('ask');
});

test('an apply that succeeded asks for none', async () => {
  const { infra, good } = await aFailedApply();

  await end(infra.repository, good);

  await expect(stage.context.temporal.workflow.getHandle(`revert/${good.id}`).describe()).rejects.toMatchObject({
    name: 'WorkflowNotFoundError',
  });
});
