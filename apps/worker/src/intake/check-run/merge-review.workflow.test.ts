/** A person confirms the plan of a pull request, and the order of its merge names that review. */
import { describe, expect, jest, test } from '@jest/globals';
import type { Deployment } from '@nereid/domain/deployment';
import type { ReviewedBefore, ReviewedPlan } from '@nereid/domain/plan';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { aLock, deploymentAt } from '@nereid/domain/testing';
import type { ServerConfig } from '@nereid/config';
import { startRollout } from '../../rollout/start-rollout.ts';
import { lanePosition } from '../../lane/turn/lane-position.ts';
import { findReviewedPlan } from '../../gates/reviewed/find-reviewed-plan.ts';
import { orderDeployment } from '../../lane/order-deployment.ts';
import { intakeStageOfThisFile } from '../testing/intake-stage.ts';
import { stagePreview, type StagedPreview } from '../testing/staged-preview.ts';
import { BACKEND, DIGEST, type OpenedPullRequest, type StagedRepository } from '../testing/staged-repository.ts';

const stage = intakeStageOfThisFile();

type RootName = 'early' | 'early-guarded' | 'network';

interface Previewed extends StagedPreview {
  readonly infra: StagedRepository;
  readonly opened: OpenedPullRequest;
  readonly rootName: RootName;
}

/** A pull request of wim with a plan. */
async function aPreview(rootName: RootName = 'early'): Promise<Previewed> {
  const files = { [`${rootName}/main.tf`]: BACKEND, 'README.md': 'words' };
  const infra = await stage.repository(files, 'acme', true, 'planned');
  const opened = await infra.pullRequest({ [`${rootName}/main.tf`]: `${BACKEND}# wider` });
  return { infra, opened, rootName, ...(await stagePreview(stage, infra, opened)) };
}

const press = ({ infra, checkRun }: Previewed, by = 'ada') => stage.deliver(infra.presses(checkRun, 'merge', by));

const reviewOf = async ({ infra, rootName, deployment }: Previewed) =>
  (await stage.context.mergeReviews.read(infra.repository, rootName, deployment.id))?.review;

describe('Confirm for merge', () => {
  test('stores a review of exactly this plan, and the check run says whose', async () => {
    const previewed = await aPreview();
    const { infra, checkRun, deployment, opened } = previewed;

    const result = await press(previewed);

    expect(result.userActions?.map(({ body }) => body.action)).toMatchObject([
      {
        action: 'confirm',
        rootNames: ['early'],
        deploymentId: deployment.id,
        pullRequest: opened.number,
        beforeMerge: true,
      },
    ]);
    const review = await reviewOf(previewed);
    const { signatures } = stage.context;
    const { body } = await signatures.open('decision/merge-review', review, { rootName: 'early' });
    expect(body).toMatchObject({
      ...{ by: 'ada', previewId: deployment.id, order: deployment.order, rootName: 'early' },
      ...{ digest: DIGEST, ...deployment.preview?.forMerge, lane: 'never applied' },
    });
    const shown = infra.shown(checkRun);
    expect(shown).toMatchObject({
      actions: [],
      output: { title: expect.stringMatching(/^Confirmed for merge by @ada/) },
    });
  });

  test('from the console shows on the check run, also where the record of the plan does not know it', async () => {
    const previewed = await aPreview();
    const event = previewed.infra.presses(previewed.checkRun, 'merge', 'ada');
    const { id: _unknown, ...checkRun } = event.checkRun;

    await stage.deliver({ ...event, checkRun });

    expect(previewed.infra.shown(previewed.checkRun)).toMatchObject({
      actions: [],
      output: { title: expect.stringMatching(/^Confirmed for merge by @ada/) },
    });
  });

  test.each<[string, RootName, string, RegExp]>([
    ['a person who may not write', 'early', 'rea', /@rea may not confirm/],
    ['who wrote the change, where a colleague has to', 'early-guarded', 'wim', /@wim may not confirm/],
    ['anybody, where the root is reviewed after the merge', 'network', 'ada', /reviewed after the merge/],
  ])('is refused to %s', async (_whom, rootName, by, why) => {
    const previewed = await aPreview(rootName);

    const result = await press(previewed, by);

    expect(result).toMatchObject({ kind: 'refused', sentence: expect.stringMatching(why) });
    expect(result.userActions?.map(({ body }) => body.action)).toMatchObject([
      { beforeMerge: true, refusal: expect.stringMatching(why) },
    ]);
    expect(await reviewOf(previewed)).toBeUndefined();
    const { output } = previewed.infra.shown(previewed.checkRun) ?? {};
    expect(output?.summary).toMatch(why);
  });

  test('is not believed before GitHub knows of it, where presses are verified', async () => {
    const previewed = await aPreview();
    const policy = { ...stage.context.server.current(), verifyPresses: true };
    const current = jest.spyOn(stage.context.server, 'current').mockReturnValue(policy);

    await expect(press(previewed)).rejects.toThrow('found none yet');

    current.mockRestore();
    expect(await reviewOf(previewed)).toBeUndefined();
  });

  test('is refused once a newer commit was pushed, heard of or not', async () => {
    const previewed = await aPreview();
    await previewed.infra.commit({ 'early/more.tf': '# more' }, previewed.opened.branch);

    expect(await press(previewed)).toMatchObject({
      kind: 'refused',
      sentence: expect.stringContaining('pushed since'),
    });
  });

  test('is refused to a second person, and not to the same press that comes again', async () => {
    const previewed = await aPreview('early');
    const event = previewed.infra.presses(previewed.checkRun, 'merge', 'ada');
    await stage.deliver(event, { delivery: 'once' });

    expect(await stage.deliver(event, { delivery: 'once', attempt: 2 })).toMatchObject({ kind: 'signalled' });
    expect(await press(previewed, 'wim')).toMatchObject({
      kind: 'refused',
      sentence: expect.stringContaining('@ada confirmed this plan'),
    });
  });

  test('is refused when nobody knows the plan', async () => {
    const { infra, checkRun } = await aPreview();
    const forged = { ...checkRun, externalId: 'another' };

    expect(await stage.deliver(infra.presses(forged, 'merge', 'ada'))).toMatchObject({ kind: 'refused' });
  });

  test('does not count any more once the plan is made again', async () => {
    const previewed = await aPreview();
    await press(previewed);
    await previewed.infra.commit({ 'early/more.tf': '# more' }, previewed.opened.branch);

    const next = await stagePreview(stage, previewed.infra, previewed.opened);

    expect(await reviewOf(previewed)).toBeUndefined();
    expect(next.deployment.warning).toContain('@ada confirmed an earlier plan of this root');
  });
});

/** Merges, and returns the deployment that intake has ordered. */
async function merged(
  { infra, opened, rootName }: Previewed,
  { kind = 'squash', by = 'ada' }: { kind?: 'merge' | 'squash' | 'rebase'; by?: string } = {},
): Promise<Deployment> {
  const before = await infra.head();
  const after = await stage.standIn.mergePullRequest(infra.at(opened), { kind, by });
  await stage.deliver({ ...infra.pushes(before, after), sender: by });
  const [first] = await infra.lane(rootName).deployments();
  if (first === undefined) throw new Error('expected a deployment');
  return first;
}

function judge({ infra }: Previewed, deployment: Deployment): Promise<ReviewedPlan> {
  const signal = new AbortController().signal;
  return findReviewedPlan({ context: stage.context, scheduledAtMs: Date.now(), signal }, infra.repository, deployment);
}

describe('after the merge', () => {
  test.each(['merge', 'squash', 'rebase'] as const)(
    'the reviewed plan is to be applied after a merge by %s',
    async (kind) => {
      const previewed = await aPreview();
      await press(previewed);

      const deployment = await merged(previewed, { kind });

      expect(deployment.reviewed?.review.body).toMatchObject({ by: 'ada', previewId: previewed.deployment.id });
      expect(await judge(previewed, deployment)).toMatchObject({
        kind: 'usable',
        plan: { made: { body: { digest: DIGEST } }, beforeMerge: true },
        approval: { body: { deploymentId: deployment.id, by: 'ada', answer: 'approved' } },
      });
    },
  );

  test('without a review, the order names none', async () => {
    expect(await merged(await aPreview())).not.toHaveProperty('reviewed');
  });

  test.each<[string, boolean]>([
    ['is found and holds', false],
    ['is found, and does not hold where another change was merged first', true],
  ])('among more than a hundred reviews of the root, that of the merge %s', async (_how, isBehind) => {
    const previewed = await aPreview();
    const { infra } = previewed;
    await press(previewed);
    const review = await reviewOf(previewed);
    if (review === undefined) throw new Error('expected a review');
    // Storage lists them first.
    const other = await infra.pullRequest({ 'README.md': 'more words' });
    for (let index = 0; index < 101; index += 1) {
      const theirs = { previewId: `0-${index}`, tree: 'e'.repeat(40), pullRequest: other.number };
      await stage.context.mergeReviews.open(infra.repository, { ...review, body: { ...review.body, ...theirs } });
    }
    if (isBehind) await infra.commit({ 'early/other.tf': '' });

    const deployment = await merged(previewed);

    expect(deployment.reviewed?.review.body).toMatchObject({ previewId: previewed.deployment.id });
    expect(await judge(previewed, deployment)).toMatchObject(
      isBehind ? { why: expect.stringContaining('other files were merged') } : { kind: 'usable' },
    );
  });

  test('in one push with another one, only the files of the last commit count', async () => {
    const previewed = await aPreview();
    const { infra, opened, rootName } = previewed;
    await press(previewed);
    const before = await infra.head();
    await stage.standIn.mergePullRequest(infra.at(opened), { kind: 'squash', by: 'ada' });
    const after = await infra.commit({ [`${rootName}/more.tf`]: '# more' });

    await stage.deliver({ ...infra.pushes(before, after), sender: 'ada' });

    const [deployment] = await infra.lane(rootName).deployments();
    if (deployment === undefined) throw new Error('expected a deployment');
    expect(await judge(previewed, deployment)).toMatchObject({
      why: expect.stringContaining('other files were merged'),
    });
  });

  test('with a deployment that waits before it, the review does not hold', async () => {
    const previewed = await aPreview();
    const { infra, rootName } = previewed;
    await press(previewed);
    const waits = deploymentAt(0);
    const root = { ...waits.root, name: rootName };
    await infra.lane(rootName).start({ lock: aLock('manual'), merged: [{ ...waits, root }] });

    await merged(previewed);

    const [first, last] = await infra.lane(rootName).holds(2);
    expect(last?.reviewed?.ahead).toBe(first?.id);
  });

  test('where the person who confirmed it merged it, a colleague has to confirm it', async () => {
    const previewed = await aPreview('early-guarded');
    await press(previewed, 'ada');

    const deployment = await merged(previewed, { by: 'ada' });

    expect(await judge(previewed, deployment)).toMatchObject({ why: expect.stringContaining(': ada may not confirm') });
  });

  test.each(['merge', 'squash', 'rebase'] as const)(
    'a colleague has confirmed a plan that somebody else merged at once by %s',
    async (kind) => {
      const previewed = await aPreview('early-guarded');
      await press(previewed, 'ada');

      expect(await judge(previewed, await merged(previewed, { kind, by: 'wim' }))).toMatchObject({ kind: 'usable' });
    },
  );

  test('the review of a person who lost the permission does not hold', async () => {
    const previewed = await aPreview();
    await press(previewed);
    const deployment = await merged(previewed, { by: 'wim' });
    const { people } = stage.context.forge;
    const permissionOf = jest.spyOn(people, 'permissionOf').mockResolvedValue('read');

    expect(await judge(previewed, deployment)).toMatchObject({ why: expect.stringContaining(': ada may not confirm') });
    permissionOf.mockRestore();
  });

  describe("the server's file of that time decides", () => {
    const judgedBy = async (change: (file: ServerConfig) => ServerConfig) => {
      const previewed = await aPreview();
      await press(previewed);
      const deployment = await merged(previewed, { by: 'wim' });
      const current = jest.spyOn(stage.context.server, 'current');
      current.mockReturnValue(change(stage.context.server.current()));
      try {
        return await judge(previewed, deployment);
      } finally {
        current.mockRestore();
      }
    };

    test('a policy that has not judged the plan', async () => {
      const found = await judgedBy((file) => ({
        ...file,
        policies: file.policies.flatMap((policy) => [policy, { ...policy, name: `${policy.name}-of-later` }]),
      }));

      expect(found).toMatchObject({
        why: expect.stringContaining('-of-later for early in early by now, which has not'),
      });
    });

    test('a repository that is no longer allowed', async () => {
      const found = await judgedBy((file) => ({ ...file, repositories: [] }));

      expect(found).toMatchObject({ kind: 'unusable' });
    });
  });

  test('a root that goes before it and was deployed makes the review one of another state', async () => {
    const previewed = await aPreview();
    const { infra } = previewed;
    await press(previewed);
    const { reviewed, ...deployment } = await merged(previewed, { by: 'wim' });
    if (reviewed === undefined) throw new Error('expected a review');
    const started = await startRollout(stage.context, {
      ...{
        repository: infra.repository,
        sha: deployment.revision.sha,
        source: 'delivery',
        isRerun: false,
        isOfBranch: true,
      },
      ordering: [{ rootName: 'early', group: 0, dependsOn: ['network'] }],
      roots: [{ name: 'network' }, { name: 'early' }],
      stopped: [],
      unfinished: [],
    });
    if (started === undefined) throw new Error('expected a rollout');

    const found = await judge(previewed, await reordered(infra, { ...deployment, ...started.ordered, reviewed }));

    expect(found).toMatchObject({ why: expect.stringContaining('network, which goes before this root, was deployed') });
  });

  test('an apply since then makes the review one of another state', async () => {
    const previewed = await aPreview();
    const { infra, rootName } = previewed;
    await press(previewed);
    const deployment = await merged(previewed, { by: 'wim' });
    const { laneTurns, begunApplies } = stage.context;
    const root = { name: rootName, onFailure: 'continue' } as const;
    const { revision } = deployment;
    const last = { id: 'by-hand', revision, trigger: 'manual', rerun: false, requestedBy: 'wim', root } as const;
    const at = new Date().toISOString();
    await laneTurns.change(infra.repository, rootName, () =>
      Promise.resolve({ last: { deployment: last, at, pool: DEFAULT_POOL, jobIds: ['j1'] } }),
    );

    expect(await judge(previewed, deployment)).toMatchObject({
      why: expect.stringContaining('was applied to this root'),
    });
    await begunApplies.of(DEFAULT_POOL).begin('by-hand', { hostId: 'h1', jobId: 'j1' });
    expect(await lanePosition(stage.context, infra.repository, rootName)).toBeUndefined();
  });

  test('the review of a root is none of another one, of another repository, or of nobody', async () => {
    const previewed = await aPreview();
    const { infra } = previewed;
    await press(previewed);
    const { reviewed, ...deployment } = await merged(previewed);
    if (reviewed === undefined) throw new Error('expected a review');

    const other = await reordered(infra, { ...deployment, root: { ...deployment.root, name: 'other' }, reviewed });
    await expect(judge(previewed, other)).rejects.toThrow('one that is about another rootName');
    const { review } = reviewed;
    const by = { review: { ...review, body: { ...review.body, by: 'officer' } } };
    await expect(judge(previewed, await reordered(infra, { ...deployment, reviewed: by }))).rejects.toMatchObject({
      code: 'FORGED',
      kind: 'decision/merge-review',
    });
    const elsewhere = await aPreview();
    const revision = { ...deployment.revision, sha: await elsewhere.infra.head() };
    const there = await reordered(elsewhere.infra, { ...deployment, revision, reviewed });
    expect(await judge(elsewhere, there)).toMatchObject({ kind: 'unusable' });
    await expect(judge(previewed, { ...deployment, reviewed: by })).rejects.toMatchObject({ kind: 'order/deploy' });
  });
});

/** As intake would have ordered it, if it had been asked to. */
async function reordered(
  { repository }: StagedRepository,
  deployment: Deployment & { readonly reviewed: ReviewedBefore },
): Promise<Deployment> {
  const { deploymentId, ...ordered } = await orderDeployment(stage.context, repository, { version: 1, ...deployment });
  return { ...deployment, ...ordered, id: deploymentId };
}
