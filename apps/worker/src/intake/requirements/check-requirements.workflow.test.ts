import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import { intakeStageOfThisFile } from '../testing/intake-stage.ts';
import { BACKEND, type OpenedPullRequest, type StagedRepository } from '../testing/staged-repository.ts';

const ROOTS = { 'network/main.tf': BACKEND };
const WIDER = { 'network/a.tf': '# wider' };
const AN_HOUR_AGO = { scheduledTimestampMs: Date.now() - 3_600_000 };

const stage = intakeStageOfThisFile();

afterEach(() => {
  stage.standIn.faults.clear();
});

/** Nothing was asked of GitHub that it would not understand. */
afterEach(() => stage.standIn.assertNoRefusedRequests());

/** In a repository of its own, where nobody approved it yet. */
async function unapproved() {
  const infra = await stage.repository(ROOTS);
  return { infra, opened: await infra.pullRequest(WIDER, { approvedBy: null }) };
}

async function isDeployed(infra: StagedRepository): Promise<boolean> {
  return (await infra.lane('network').view()) !== undefined;
}

describe('apply requires that its head is approved', () => {
  const SENTENCE =
    /the current head of the pull request has to be approved by somebody with write permission who is not its author/;

  async function apply(infra: StagedRepository, opened: OpenedPullRequest) {
    const result = await stage.deliver(infra.says(opened, 'nereid apply'));
    return { result, isDeployed: await isDeployed(infra) };
  }

  test('by somebody who may write: then it is deployed', async () => {
    const { infra, opened } = await unapproved();
    await stage.standIn.approve(infra.at(opened), 'ada');

    expect(await apply(infra, opened)).toMatchObject({ result: { kind: 'signalled' }, isDeployed: true });
  });

  test.each<[string, (infra: StagedRepository, opened: OpenedPullRequest) => Promise<unknown>]>([
    ['nobody looked at it', () => Promise.resolve()],
    ['it is somebody who only reads', (infra, opened) => stage.standIn.approve(infra.at(opened), 'rea')],
    [
      'it is somebody whom the repository does not know',
      (infra, opened) => stage.standIn.approve(infra.at(opened), 'eve'),
    ],
    [
      'the branch moved on',
      async (infra, opened) => {
        await stage.standIn.approve(infra.at(opened), 'ada');
        await infra.commit({ 'network/b.tf': '' }, opened.branch);
      },
    ],
    [
      'it is somebody who pushed it, whatever name its commits have',
      async (infra, opened) => {
        const to = await infra.commit({ 'network/b.tf': '' }, 'other');
        await stage.standIn.forcePush({ repository: infra.fullName, branch: opened.branch, to, by: 'ada' });
        await stage.standIn.approve(infra.at(opened), 'ada');
      },
    ],
    [
      'it was dismissed',
      async (infra, opened) => {
        await stage.standIn.approve(infra.at(opened), 'ada');
        await stage.standIn.dismissReview(infra.at(opened), { of: 'ada', by: 'wim' });
      },
    ],
    [
      'the same person requested changes',
      async (infra, opened) => {
        await stage.standIn.approve(infra.at(opened), 'ada');
        await stage.standIn.review(infra.at(opened), { state: 'CHANGES_REQUESTED', by: 'ada' });
      },
    ],
  ])('an approval does not count when %s', async (_when, happen) => {
    const { infra, opened } = await unapproved();
    await happen(infra, opened);

    expect(await apply(infra, opened)).toMatchObject({ result: { kind: 'refused' }, isDeployed: false });
    expect(infra.comments(opened)).toEqual([expect.stringMatching(SENTENCE)]);
  });
});

test('where GitHub does not know an author, the approval of an admin counts', async () => {
  const { infra, opened } = await unapproved();
  stage.standIn.setRole(infra.fullName, 'bea', 'write');
  const sha = await infra.pushAll([{ path: 'network/b.tf', text: '', author: 'X <x@example.org>' }], opened.branch);
  // Git has its answer before the pull request has its head.
  const isThere = () => stage.standIn.pullRequest(infra.at(opened)).headSha === sha || undefined;
  await stage.standIn.waitFor(isThere, { what: 'the head of the pull request', deadlineMs: 120_000 });
  await stage.standIn.approve(infra.at(opened), 'bea');
  const refused = await stage.deliver(infra.says(opened, 'nereid apply'));
  await stage.standIn.approve(infra.at(opened), 'ada');

  const taken = await stage.deliver(infra.says(opened, 'nereid apply'));

  expect(refused.sentence).toContain('so it has to be approved by somebody with admin permission');
  expect(taken).toMatchObject({ kind: 'signalled' });
});

test('everything that apply requires and is not so stands in one reply', async () => {
  const { infra, opened } = await unapproved();
  await infra.commit({ 'network/a.tf': '# another' });

  await stage.deliver(infra.says(opened, 'nereid apply'));

  const [reply] = infra.comments(opened);
  expect(reply).toMatch(/^Nothing was done:\n\n```text\nthe current head of the pull request has to be approved/);
  expect(reply).toMatch(
    /\nthe pull request has conflicts with main: resolve them\nthe pull request is behind main: update its branch\n```/,
  );
});

test('a branch that was updated has to be approved again', async () => {
  const { infra, opened } = await unapproved();
  await infra.commit({ 'README.md': '' });
  await stage.standIn.approve(infra.at(opened), 'ada');
  await stage.deliver(infra.says(opened, 'nereid apply'));
  await stage.standIn.updateBranch(infra.at(opened), 'wim');
  await stage.deliver(infra.says(opened, 'nereid apply'));
  await stage.standIn.approve(infra.at(opened), 'ada');

  const last = await stage.deliver(infra.says(opened, 'nereid apply'));

  expect(infra.comments(opened)).toEqual([
    expect.stringContaining('the pull request is behind main'),
    expect.stringContaining('the current head of the pull request has to be approved'),
    expect.stringContaining('Queued'),
  ]);
  expect(last.kind).toBe('signalled');
});

test('an admin skips all of it with -f', async () => {
  const { infra, opened } = await unapproved();
  await infra.commit({ 'network/a.tf': '# another' });

  const result = await stage.deliver(infra.says(opened, 'nereid apply -f', 'ada'));

  expect(result.kind).toBe('signalled');
});

describe('while GitHub does not know', () => {
  test('whether it can be merged, it is asked again', async () => {
    const { infra, opened } = await unapproved();
    await stage.standIn.approve(infra.at(opened), 'ada');
    const delivery = randomUUID();
    stage.standIn.faults.add({ kind: 'mergeability unknown', times: 1 });

    const first = stage.deliver(infra.says(opened, 'nereid apply'), { delivery });
    await expect(first).rejects.toMatchObject({ type: 'MERGEABILITY_UNKNOWN', nonRetryable: false });
    const second = await stage.deliver(infra.says(opened, 'nereid apply'), { delivery, attempt: 2 });

    expect(second.kind).toBe('signalled');
  });

  test('for too long, the answer is "not now"', async () => {
    const { infra, opened } = await unapproved();
    await stage.standIn.approve(infra.at(opened), 'ada');
    stage.standIn.faults.add({ kind: 'mergeability unknown' });

    await stage.deliver(infra.says(opened, 'nereid apply'), AN_HOUR_AGO);

    expect(infra.comments(opened)).toEqual([expect.stringMatching(/meets the requirements: not now, try again/)]);
    expect(await isDeployed(infra)).toBe(false);
  });

  test.each([
    ['its reviews', /^GET .*\/reviews$/],
    ['how it stands to its base', /^GET .*\/compare\//],
    ['the pull request', /^GET .*\/pulls\/\d+$/],
  ])('%s, it is tried again, and in the end is "not now"', async (_what, route) => {
    const { infra, opened } = await unapproved();
    await stage.standIn.approve(infra.at(opened), 'ada');
    stage.standIn.faults.add({ kind: 'failure', status: 503, route });

    const early = stage.deliver(infra.says(opened, 'nereid apply'));
    await expect(early).rejects.toMatchObject({ type: 'FORGE_UNAVAILABLE', nonRetryable: false });
    await stage.deliver(infra.says(opened, 'nereid apply'), AN_HOUR_AGO);

    expect(infra.comments(opened)).toEqual([expect.stringContaining('not now, try again')]);
    expect(await isDeployed(infra)).toBe(false);
  });

  test('because it forbids our App to ask, the answer is "not now" at once', async () => {
    const { infra, opened } = await unapproved();
    stage.standIn.faults.add({ kind: 'refusal', status: 403, route: /^GET .*\/reviews$/ });

    const result = await stage.deliver(infra.says(opened, 'nereid apply'));

    expect(result).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('not now, try again') });
  });
});
