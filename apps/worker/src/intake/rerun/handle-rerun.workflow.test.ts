import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import { ROLLOUT_CHECK_RUN_NAME, type Deployment } from '@nereid/domain/deployment';
import { aDeployment } from '@nereid/domain/testing';
import { intakeStageOfThisFile } from '../testing/intake-stage.ts';
import { BACKEND, type OpenedPullRequest, type StagedRepository } from '../testing/staged-repository.ts';

const ROOTS = { 'network/main.tf': BACKEND, 'database/main.tf': BACKEND };
const RERUN = { trigger: 'manual', rerun: true, force: false } as const;

const stage = intakeStageOfThisFile();

/** Nothing was asked of GitHub that it would not understand. */
afterEach(() => stage.standIn.assertNoRefusedRequests());

describe('Re-run of a deployment', () => {
  test.each(['failure', 'timed_out', 'cancelled'] as const)(
    'that ended as %s queues it again, once',
    async (conclusion) => {
      const infra = await stage.repository(ROOTS);
      const sha = await infra.head();
      const checkRun = await infra.ownCheckRun('network', sha, { conclusion });
      const delivery = randomUUID();

      await stage.deliver(infra.reruns(checkRun), { delivery });
      const result = await stage.deliver(infra.reruns(checkRun), { delivery, attempt: 2 });

      expect(result).toMatchObject({ kind: 'signalled', workflows: [infra.lane('network').id] });
      expect(await infra.lane('network').deployments()).toMatchObject([
        { ...RERUN, requestId: `${delivery}:network`, revision: { sha, branch: 'main' }, requestedBy: 'wim' },
      ]);
    },
  );

  test('that succeeded is refused on the check run', async () => {
    const infra = await stage.repository(ROOTS);
    const checkRun = await infra.ownCheckRun('network', await infra.head(), { conclusion: 'success' });

    const result = await stage.deliver(infra.reruns(checkRun));

    expect(result).toMatchObject({ kind: 'refused', workflows: [] });
    expect(infra.shown(checkRun)?.output.summary).toContain('this deployment did not fail');
    expect(await infra.lane('network').view()).toBeUndefined();
  });

  test('of a deployment that waits for a person is refused on the check run', async () => {
    const infra = await stage.repository(ROOTS);
    const waits = { conclusion: 'action_required' } as const;
    const checkRun = await infra.ownCheckRun('network', await infra.head(), waits);

    await stage.deliver(infra.reruns(checkRun));

    expect(infra.shown(checkRun)?.output.summary).toContain('this deployment has not ended');
  });

  test('of a revision that is under way again is refused', async () => {
    const infra = await stage.repository(ROOTS);
    const checkRun = await infra.ownCheckRun('network', await infra.head());
    await stage.deliver(infra.reruns(checkRun));
    const [first] = await infra.lane('network').deployments();
    await infra.lane('network').runs(first?.id ?? '');

    const result = await stage.deliver(infra.reruns(checkRun));

    expect(result).toMatchObject({
      kind: 'refused',
      sentence: '@wim pressed Re-run: this revision is under way; it is being planned',
    });
    expect(await infra.lane('network').deployments()).toHaveLength(1);
  });

  test('of a revision that is not on the branch is refused on the check run', async () => {
    const infra = await stage.repository(ROOTS);
    const checkRun = await infra.ownCheckRun('network', await infra.commit({ 'network/a.tf': '' }, 'feature'));

    const result = await stage.deliver(infra.reruns(checkRun));

    expect(result.kind).toBe('refused');
    expect(infra.shown(checkRun)?.output.summary).toContain('only revisions on main can be re-run');
    expect(await infra.lane('network').view()).toBeUndefined();
  });

  test('of a revision that is gone is refused on the check run, which says what to do', async () => {
    const infra = await stage.repository(ROOTS);
    const checkRun = await infra.ownCheckRun('network', await infra.head());

    const result = await stage.deliver(infra.reruns({ ...checkRun, headSha: 'f'.repeat(40) }));

    expect(result.kind).toBe('refused');
    expect(infra.shown(checkRun)?.output.summary).toContain('push the commit again, or deploy another one');
  });

  test('by somebody without the permission that the root takes is refused on the check run', async () => {
    const infra = await stage.repository({ ...ROOTS, 'guarded/main.tf': BACKEND });
    const checkRun = await infra.ownCheckRun('guarded', await infra.head());

    await stage.deliver(infra.reruns(checkRun, 'wim'));

    expect(infra.shown(checkRun)?.output.summary).toContain('@wim may not re-run this: it takes admin permission');
    expect(await infra.lane('guarded').view()).toBeUndefined();
  });

  test('of a root that the revision does not have is refused on the check run', async () => {
    const infra = await stage.repository(ROOTS);
    const checkRun = await infra.ownCheckRun('networks', await infra.head());

    await stage.deliver(infra.reruns(checkRun));

    expect(infra.shown(checkRun)?.output.summary).toContain('did you mean network?');
  });
});

describe('Re-run of a manual deployment of a pull request', () => {
  test('deploys its head by hand again, with a review and a lock', async () => {
    const infra = await stage.repository(ROOTS);
    const opened = await infra.pullRequest({ 'network/a.tf': '' });
    const checkRun = await aManualDeployment(infra, opened);

    await stage.deliver(infra.reruns(checkRun));

    expect(await infra.lane('network').deployments()).toMatchObject([
      {
        trigger: 'manual',
        rerun: false,
        force: false,
        revision: { sha: opened.headSha, branch: opened.branch },
        pullRequest: opened.number,
      },
    ]);
  });

  test('is refused once the pull request is closed or has a newer head', async () => {
    const infra = await stage.repository(ROOTS);
    const opened = await infra.pullRequest({ 'network/a.tf': '' });
    const checkRun = await aManualDeployment(infra, opened);
    await infra.commit({ 'network/b.tf': '' }, opened.branch);
    await stage.standIn.closePullRequest({ repository: infra.fullName, number: opened.number }, 'wim');

    const result = await stage.deliver(infra.reruns(checkRun));

    expect(result.sentence).toMatch(/has to be open; .*; the pull request has a newer head: deploy that one$/);
    expect(infra.shown(checkRun)?.output.summary).toContain('the pull request has a newer head');
    expect(await infra.lane('network').view()).toBeUndefined();
  });

  test('is refused where its head is no longer approved, or behind its base', async () => {
    const infra = await stage.repository(ROOTS);
    const opened = await infra.pullRequest({ 'network/a.tf': '' });
    const checkRun = await aManualDeployment(infra, opened);
    await stage.standIn.dismissReview(infra.at(opened), { of: 'ada', by: 'wim' });
    await infra.commit({ 'README.md': '' });

    const result = await stage.deliver(infra.reruns(checkRun));

    expect(result.sentence).toMatch(
      /^this cannot be re-run: the current head of the pull request has to be approved .*; the pull request is behind main: /,
    );
    expect(await infra.lane('network').view()).toBeUndefined();
  });

  test('takes who may deploy by hand', async () => {
    const infra = await stage.repository({ 'careful/main.tf': BACKEND });
    const opened = await infra.pullRequest({ 'careful/a.tf': '' });
    const checkRun = await aManualDeployment(infra, opened, 'careful');

    await stage.deliver(infra.reruns(checkRun, 'wim'));

    expect(infra.shown(checkRun)?.output.summary).toContain('@wim may not deploy this: it takes admin permission');
    expect(await infra.lane('careful').view()).toBeUndefined();
  });

  test('is not believed where the lane names another pull request than was ordered', async () => {
    const infra = await stage.repository(ROOTS);
    const opened = await infra.pullRequest({ 'network/a.tf': '' });
    const deployment = { ...manual(opened, 'network'), pullRequest: opened.number + 1 };
    await infra.lane('network').record({ ended: [deployment] });
    await infra.lane('network').forge(({ ended = [], ...lane }) => ({
      ...lane,
      ended: ended.map((one) => ({ ...one, pullRequest: opened.number })),
    }));
    const checkRun = await infra.ownCheckRun('network', opened.headSha, { externalId: deployment.id });

    const result = await stage.deliver(infra.reruns(checkRun));

    expect(result).toMatchObject({
      kind: 'refused',
      sentence: expect.stringContaining('expected the order/deploy to be signed'),
    });
    expect(await infra.lane('network').view()).toBeUndefined();
  });

  /** One that failed. */
  function manual({ number: pullRequest, headSha: sha }: OpenedPullRequest, rootName: string): Deployment {
    const failed = aDeployment({ status: 'plan-failed' });
    return {
      ...failed,
      id: randomUUID(),
      trigger: 'manual',
      pullRequest,
      root: { ...failed.root, name: rootName },
      revision: { ...failed.revision, sha },
    };
  }

  /** With its record. */
  async function aManualDeployment(infra: StagedRepository, opened: OpenedPullRequest, rootName = 'network') {
    const { id } = await infra.recordEnded(manual(opened, rootName));
    return infra.ownCheckRun(rootName, opened.headSha, { externalId: id });
  }
});

describe('Re-run of a rollout', () => {
  const ofRollout = (infra: StagedRepository, sha: string) =>
    infra.ownCheckRun('', sha, { name: ROLLOUT_CHECK_RUN_NAME, externalId: 'the rollout' });

  test('queues the roots whose deployments failed', async () => {
    const infra = await stage.repository(ROOTS);
    const sha = await infra.head();
    await infra.ownCheckRun('network', sha, { conclusion: 'success' });
    await infra.ownCheckRun('database', sha);

    const result = await stage.deliver(infra.reruns(await ofRollout(infra, sha)));

    expect(result).toMatchObject({ kind: 'signalled', workflows: [infra.lane('database').id] });
  });

  test('says that none failed', async () => {
    const infra = await stage.repository(ROOTS);
    const sha = await infra.head();
    await infra.ownCheckRun('network', sha, { conclusion: 'success' });
    const checkRun = await ofRollout(infra, sha);

    await stage.deliver(infra.reruns(checkRun));

    expect(infra.shown(checkRun)?.output.summary).toContain('no deployment of this revision failed');
  });
});

describe('Re-run all', () => {
  test('queues every root that has a check run on the revision, whatever became of it', async () => {
    const infra = await stage.repository({ ...ROOTS, 'idle/main.tf': BACKEND });
    const sha = await infra.head();
    await infra.ownCheckRun('network', sha, { conclusion: 'success' });
    await infra.ownCheckRun('database', sha);

    const result = await stage.deliver(infra.rerunsAll(sha));

    expect(result).toMatchObject({ kind: 'signalled', sentence: '2 of 2 roots are re-run' });
    for (const rootName of ['network', 'database']) {
      expect(await infra.lane(rootName).deployments()).toMatchObject([{ ...RERUN, revision: { sha } }]);
    }
    expect(await infra.lane('idle').view()).toBeUndefined();
  });

  test('says on the check run of each root why it is not queued, and queues the others', async () => {
    const infra = await stage.repository({ ...ROOTS, 'guarded/main.tf': BACKEND });
    const sha = await infra.head();
    const guarded = await infra.ownCheckRun('guarded', sha);
    const network = await infra.ownCheckRun('network', sha);

    const result = await stage.deliver(infra.rerunsAll(sha));

    expect(result).toMatchObject({ kind: 'signalled', workflows: [infra.lane('network').id] });
    expect(result.sentence).toMatch(/^1 of 2 roots are re-run; the first refusal: @wim may not/);
    expect(infra.shown(guarded)?.output.summary).toContain('it takes admin permission');
    expect(infra.shown(network)?.output.summary).toBe('What failed.');
  });

  test('of a revision without any check run of ours does nothing', async () => {
    const infra = await stage.repository(ROOTS);

    const result = await stage.deliver(infra.rerunsAll(await infra.head()));

    expect(result).toMatchObject({ kind: 'nothing', sentence: expect.stringContaining('no check run of ours') });
  });
});
