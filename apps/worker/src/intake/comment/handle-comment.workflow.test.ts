import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { aDeployment } from '@nereid/domain/testing';
import type { NewPullRequest } from '@nereid/github-stand-in';
import { intakeStageOfThisFile } from '../testing/intake-stage.ts';
import { BACKEND, type StagedRepository } from '../testing/staged-repository.ts';

const ROOTS = {
  'network/main.tf': BACKEND,
  'database/main.tf': BACKEND,
  'guarded/main.tf': BACKEND,
  'loose/main.tf': BACKEND,
};
const WIDER = { 'network/a.tf': '' };

const stage = intakeStageOfThisFile();
/** Where nothing is ever deployed. */
let quiet: StagedRepository;

beforeAll(async () => {
  quiet = await stage.repository(ROOTS);
});

afterEach(() => {
  stage.standIn.faults.clear();
});

/** Nothing was asked of GitHub that it would not understand. */
afterEach(() => stage.standIn.assertNoRefusedRequests());

/** In a repository of its own. */
async function aPullRequest(more: Partial<NewPullRequest> = {}) {
  const infra = await stage.repository(ROOTS);
  return { infra, opened: await infra.pullRequest(WIDER, more) };
}

describe('apply', () => {
  test('deploys the head of the pull request to the roots that it modifies', async () => {
    const { infra, opened } = await aPullRequest();
    const delivery = randomUUID();

    const result = await stage.deliver(infra.says(opened, 'nereid apply'), { delivery });

    expect(result).toMatchObject({ kind: 'signalled', workflows: [infra.lane('network').id] });
    expect(await infra.lane('network').deployments()).toMatchObject([
      {
        requestId: `${delivery}:network`,
        trigger: 'manual',
        rerun: false,
        force: false,
        revision: { sha: opened.headSha, branch: opened.branch },
        requestedBy: 'wim',
        pullRequest: opened.number,
      },
    ]);
    expect(infra.comments(opened)).toEqual([expect.stringMatching(/^Queued: `network`\. Follow it in the checks/)]);
  });

  test('of a head that is under way is not queued again: the reply leads to what was asked for before', async () => {
    const { infra, opened } = await aPullRequest();
    await stage.deliver(infra.says(opened, 'nereid apply'));
    const [first] = await infra.lane('network').deployments();
    await infra.lane('network').runs(first?.id ?? '');

    const again = await stage.deliver(infra.says(opened, 'nereid apply'));
    const more = await stage.deliver(infra.says(opened, 'nereid apply network database'));

    expect(again).toMatchObject({ kind: 'refused', sentence: 'already under way: network' });
    expect(more.workflows).toEqual([infra.lane('database').id]);
    const link = String.raw`\[is being planned\]\(http:\/\/127\.0\.0\.1:4144\/deployments\/${first?.id}\?.*\)`;
    expect(infra.comments(opened).slice(1)).toEqual([
      expect.stringMatching(new RegExp(String.raw`^Already under way: \`network\` \(it ${link}\)\. Follow`)),
      expect.stringMatching(new RegExp(String.raw`^Queued: \`database\`\. Already under way: \`network\` \(it `)),
    ]);
    expect(await infra.lane('network').deployments()).toHaveLength(1);
  });

  test('of a head that waits in a lane that was ended by force is not queued again: the lane goes on', async () => {
    const { infra, opened } = await aPullRequest();
    const waiting = { ...aDeployment({ status: 'queued' }), id: randomUUID(), trigger: 'manual' } as const;
    const revision = { ...waiting.revision, sha: opened.headSha };
    await infra.lane('network').record({ manual: [{ ...waiting, revision }] });

    const result = await stage.deliver(infra.says(opened, 'nereid apply'));

    expect(result.kind).toBe('refused');
    await infra.lane('network').runs(waiting.id);
  });

  test('says behind what it waits', async () => {
    const { infra, opened } = await aPullRequest();
    const running = { ...aDeployment({ status: 'planning' }), id: (await stage.deployment()).id };
    await infra.lane('network').start({ running });

    await stage.deliver(infra.says(opened, 'nereid apply'));

    expect(infra.comments(opened)).toEqual([
      expect.stringMatching(/^Queued: `network` \(after `abc1234`, which \[is being planned\]\(.*\)\)\. Follow/),
    ]);
  });

  test('with names deploys these roots', async () => {
    const { infra, opened } = await aPullRequest();

    const result = await stage.deliver(infra.says(opened, 'nereid apply database'));

    expect(result.workflows).toEqual([infra.lane('database').id]);
  });

  test.each([
    ['a root that the head does not have', 'nereid apply networks', WIDER, 'did you mean network?'],
    ['nothing, where no root is modified', 'nereid apply', { 'README.md': '' }, 'name one'],
    ['a broken configuration', 'nereid apply', { 'nereid.yaml': 'version: 7' }, 'nereid.yaml:1:'],
  ])('an apply of %s is refused in a reply', async (_what, line, files, reason) => {
    const opened = await quiet.pullRequest(files);

    const result = await stage.deliver(quiet.says(opened, line));

    expect(result).toMatchObject({ kind: 'refused', workflows: [] });
    expect(quiet.comments(opened)).toEqual([expect.stringMatching(/^Nothing was done:\n/)]);
    expect(quiet.comments(opened)[0]).toContain(reason);
    expect(await quiet.lane('network').view()).toBeUndefined();
  });

  test.each([
    ['is a draft', { draft: true }, 'mark it ready for review'],
    ['comes from a fork', { fromDeletedFork: true }, 'plans of foreign code'],
  ])('an apply of a pull request that %s is refused in a reply', async (_what, more, reason) => {
    const opened = await quiet.pullRequest(WIDER, more);

    const result = await stage.deliver(quiet.says(opened, 'nereid apply'));

    expect(result).toMatchObject({ kind: 'refused', workflows: [] });
    expect(quiet.comments(opened)).toEqual([expect.stringContaining(reason)]);
    expect(await quiet.lane('network').view()).toBeUndefined();
  });

  test('by somebody who only reads is refused', async () => {
    const opened = await quiet.pullRequest(WIDER);

    await stage.deliver(quiet.says(opened, 'nereid apply', 'rea'));

    expect(quiet.comments(opened)).toEqual([expect.stringContaining('@rea may not deploy this: it takes write')]);
    expect(await quiet.lane('network').view()).toBeUndefined();
  });

  test('to several roots is all or nothing: one that takes more is named', async () => {
    const opened = await quiet.pullRequest(WIDER);

    await stage.deliver(quiet.says(opened, 'nereid apply network guarded'));

    expect(quiet.comments(opened)).toEqual([expect.stringMatching(/it takes admin permission .* \(guarded\)$/m)]);
    expect(await quiet.lane('network').view()).toBeUndefined();
  });
});

describe('the head that apply deploys is the one that its author saw', () => {
  test.each(['nereid apply', 'nereid apply -f', 'nereid apply network'])(
    'a branch that moved after the comment is not deployed: %s',
    async (line) => {
      const { infra, opened } = await aPullRequest();
      const { createdAt } = stage.standIn.comment(infra.at(opened), 'ada', line);
      await infra.commit({ 'network/b.tf': '' }, opened.branch);
      await stage.standIn.approve(infra.at(opened), 'ada');

      const result = await stage.deliver({ ...infra.says(opened, line, 'ada'), createdAt });

      expect(result).toMatchObject({ kind: 'refused', workflows: [] });
      expect(infra.comments(opened).at(-1)).toContain('moved after your comment: look at its head, then comment again');
      expect(await infra.lane('network').view()).toBeUndefined();
    },
  );

  test('a comment that came in the same second as a push is not taken', async () => {
    const { infra, opened } = await aPullRequest();
    const comment = infra.says(opened, 'nereid apply');
    const { at: pushedAt = '' } =
      (await stage.context.forge.repositories.lastMove(infra.repository, opened.branch)) ?? {};

    expect((await stage.deliver({ ...comment, createdAt: pushedAt })).sentence).toContain('moved after your comment');
  });

  test('the record of pushes is asked for once by each who needs it, and again while GitHub is away', async () => {
    const { infra, opened } = await aPullRequest();
    stage.standIn.faults.add({ kind: 'failure', status: 502, route: /activity$/ });

    const early = stage.deliver(infra.says(opened, 'nereid apply'));
    await expect(early).rejects.toMatchObject({ type: 'FORGE_UNAVAILABLE', nonRetryable: false });
    stage.standIn.faults.clear();
    stage.standIn.resetTraffic();
    const taken = await stage.deliver(infra.says(opened, 'nereid apply'), { attempt: 2 });

    expect(taken.kind).toBe('signalled');
    const asked = stage.standIn.requestCounts().filter(({ route }) => route.endsWith('/activity'));
    // Once for the head, and once for the people who pushed it: they approve nothing.
    expect(asked).toMatchObject([{ count: 2 }]);
  });

  test('while the record of pushes leads to another commit, it is asked again, and in the end is "not now"', async () => {
    const { infra, opened } = await aPullRequest();
    await stage.standIn.closePullRequest(infra.at(opened), 'wim');
    await infra.commit({ 'network/b.tf': '' }, opened.branch);
    const said = infra.says(opened, 'nereid apply -f', 'ada');

    await expect(stage.deliver(said)).rejects.toMatchObject({ type: 'HEAD_UNSETTLED', nonRetryable: false });
    const late = await stage.deliver(said, { scheduledTimestampMs: Date.now() - 30_000 });

    expect(late).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('not now, try again') });
  });

  test('a deleted branch leaves the head as it was', async () => {
    const { infra, opened } = await aPullRequest();
    const merge = { kind: 'squash', by: 'ada', deleteBranch: true } as const;
    await stage.standIn.mergePullRequest(infra.at(opened), merge);

    const result = await stage.deliver(infra.says(opened, 'nereid apply network -f', 'ada'));

    expect(result).toMatchObject({ kind: 'signalled' });
  });
});

describe('apply -f', () => {
  test('of an admin skips the requirements', async () => {
    const { infra, opened } = await aPullRequest({ draft: true });

    await stage.deliver(infra.says(opened, 'nereid apply -f', 'ada'));

    expect(await infra.lane('network').deployments()).toMatchObject([{ force: true, requestedBy: 'ada' }]);
  });

  test('never skips that code of a fork is not run', async () => {
    const opened = await quiet.pullRequest(WIDER, { fromDeletedFork: true });

    await stage.deliver(quiet.says(opened, 'nereid apply -f', 'ada'));

    expect(quiet.comments(opened)).toEqual([expect.stringContaining('plans of foreign code')]);
    expect(await quiet.lane('network').view()).toBeUndefined();
  });

  test('takes an admin', async () => {
    const opened = await quiet.pullRequest(WIDER);

    await stage.deliver(quiet.says(opened, 'nereid apply -f', 'wim'));

    expect(quiet.comments(opened)).toEqual([expect.stringContaining('it takes admin permission')]);
    expect(await quiet.lane('network').view()).toBeUndefined();
  });

  test('takes less where the rule of a root says so', async () => {
    const { infra, opened } = await aPullRequest({ draft: true });

    const result = await stage.deliver(infra.says(opened, 'nereid apply loose -f', 'wim'));

    expect(result.workflows).toEqual([infra.lane('loose').id]);
  });
});

describe('a reaction', () => {
  test('says that the comment was seen, and then whether anything was done', async () => {
    const { infra, opened } = await aPullRequest();
    await stage.deliver(infra.writes(opened, 'nereid help'));
    expect(infra.reactions(opened)).toEqual(['eyes', '+1']);

    await stage.deliver(infra.writes(opened, 'nereid apply nothing'));
    expect(infra.reactions(opened)).toEqual(['eyes', '+1', 'eyes', '-1']);
  });

  test('that GitHub does not take holds nothing up', async () => {
    const { infra, opened } = await aPullRequest();
    stage.standIn.faults.add({ kind: 'refusal', status: 403, route: /^POST .*\/reactions$/ });

    await expect(stage.deliver(infra.writes(opened, 'nereid apply'))).resolves.toMatchObject({ kind: 'signalled' });

    expect(infra.reactions(opened)).toEqual([]);
    expect(infra.comments(opened)).toEqual(['nereid apply', expect.stringMatching(/^Queued: `network`/)]);
  });
});

describe('a reply', () => {
  test.each([
    ['nereid help', '| `nereid apply [root…]` |'],
    ['nereid what', 'nereid has no command what'],
    ['nereid plan', 'pull requests of this repository are not planned: its operators can turn that on'],
  ])('is what %j gets', async (line, text) => {
    const opened = await quiet.pullRequest(WIDER);

    await stage.deliver(quiet.says(opened, line, 'rea'));

    expect(quiet.comments(opened)).toEqual([expect.stringContaining(text)]);
  });

  test.each(['nereid help', 'nereid apply', 'nereid apply nowhere'])(
    'is not doubled when an attempt was lost after it: %s',
    async (line) => {
      const { infra, opened } = await aPullRequest();
      const delivery = randomUUID();

      const first = await stage.deliver(infra.says(opened, line), { delivery });
      const second = await stage.deliver(infra.says(opened, line), { delivery, attempt: 2 });

      expect(second).toEqual(first);
      expect(infra.comments(opened)).toHaveLength(1);
    },
  );

  test('that GitHub did not take is written by the next attempt, and nothing is queued twice', async () => {
    const { infra, opened } = await aPullRequest();
    const delivery = randomUUID();
    stage.standIn.faults.add({ kind: 'failure', status: 502, route: /^POST .*comments$/, times: 1 });

    const first = stage.deliver(infra.says(opened, 'nereid apply'), { delivery });
    await expect(first).rejects.toMatchObject({ type: 'FORGE_UNAVAILABLE', nonRetryable: false });
    await stage.deliver(infra.says(opened, 'nereid apply'), { delivery, attempt: 2 });

    expect(infra.comments(opened)).toEqual([expect.stringContaining('Queued')]);
    expect(await infra.lane('network').deployments()).toHaveLength(1);
  });

  test('that nobody can write fails for good', async () => {
    const command = stage.deliver(quiet.says({ number: 404, headSha: '', branch: '' }, 'nereid apply'));

    await expect(command).rejects.toMatchObject({ type: 'FORGE_REFUSED', nonRetryable: true });
  });
});

test('a comment in a repository that the server does not allow is left alone', async () => {
  const infra = await stage.repository(ROOTS, 'evil');
  const opened = await infra.pullRequest(WIDER);

  const result = await stage.deliver(infra.says(opened, 'nereid apply'));

  expect(result.kind).toBe('nothing');
  expect(infra.comments(opened)).toEqual([]);
});
