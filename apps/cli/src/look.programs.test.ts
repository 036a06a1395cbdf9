/** What verbs show of a real console. */
import { describe, expect, test } from '@jest/globals';
import { Attention, DeploymentDetail, LaneDetail } from '@nereid/api';
import { aConsole, REPOSITORY, RUNNING } from '@nereid/console/testing';
import { revertIdOf } from '@nereid/domain/deployment';
import { aDeployment, aLock, aPlan } from '@nereid/domain/testing';
import { createAuditTrail, createPullRequestRecords } from '@nereid/storage';
import { nereid, nereidInside } from './testing/run.ts';

const NOW = '2026-01-31T16:00:00.000Z';
const REVIEW = aDeployment({ status: 'awaiting-review', plan: aPlan() });
const QUEUED = { ...aDeployment({ status: 'queued' }), id: '33333333-0d4b-4e7a-9c55-1f0e6b7a2d90' };
const HOSTILE = '\u001b]0;owned\u0007\u202eevil\u009b2J';

const reviewing = { statuses: new Map([[REVIEW.id, 'awaiting-review' as const]]) };

async function aBusyConsole(endedAt = new Date().toISOString()) {
  const console = await aConsole({ isLocal: true, lane: { running: REVIEW, merged: [QUEUED] }, ...reviewing });
  const deployment = {
    ...aDeployment({ status: 'apply-failed', plan: aPlan() }),
    id: '11111111-0d4b-4e7a-9c55-1f0e6b7a2d90',
  };
  await console.records.write({ version: 1, repository: REPOSITORY, deployment, endedAt });
  return console;
}

const onTerminal = { terminal: { columns: 80 }, env: { NO_COLOR: '1' }, now: () => Date.parse(NOW) };

describe('without a verb', () => {
  test('it says what waits for a person, and what to type next', async () => {
    const console = await aBusyConsole();

    const { status, stdout, stderr } = await nereidInside([], { console, ...onTerminal });

    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toBe(`acme/infra/network  review  2h ago
  Waiting for a review of deployment 3f2a8c1e; one deployment waits behind it.
  “Add a bucket”
  ${console.url}/deployments/${REVIEW.id}?lane=acme%2Finfra%2Fnetwork
  nereid confirm acme/infra/network
`);
  });

  test('of a lane that a failed apply locks, it names the re-run before the unlock', async () => {
    const lock = aLock('failed');
    const console = await aConsole({ isLocal: true, lane: { lock } });

    const { stdout } = await nereidInside([], { console, ...onTerminal });

    expect(stdout).toContain(`
  nereid rerun ${lock.deploymentId}
  nereid unlock acme/infra/network  # if the next merge mends it
`);
  });

  test('it says that nothing waits', async () => {
    const console = await aConsole({ isLocal: true });

    expect(await nereid([], { console })).toEqual({
      status: 0,
      stdout: 'Nothing waits for a person, and nothing is at work.\n',
      stderr: '',
    });
  });
});

describe('lists', () => {
  test('lanes are a table that fits the terminal', async () => {
    const console = await aBusyConsole();

    const { stdout } = await nereidInside(['lanes'], { console, ...onTerminal });

    expect(stdout).toBe(`LANE                STATE   SINCE   DEPLOYED  WHY
acme/infra/network  review  2h ago  -         Waiting for a review of deploymen…
`);
  });

  test('lanes go on from page to page', async () => {
    const console = await aConsole({ isLocal: true });
    const roots = Array.from({ length: 450 }, (_, index) => `root-${index}`);
    for (const rootName of roots) await console.lanes.write({ ...emptyLane, rootName }, null);

    const all = await nereidInside(['lanes', '--json'], { console });
    const some = await nereidInside(['lanes', '--json', '--limit', '250'], { console });

    expect(
      linesOf(all.stdout)
        .map((line) => (line as { rootName: string }).rootName)
        .sort(),
    ).toEqual(roots.sort());
    expect(linesOf(some.stdout)).toHaveLength(250);
  });

  test('a lane has its queue and its history, with the ids that other verbs take', async () => {
    const console = await aBusyConsole('2026-01-31T13:00:00.000Z');

    const { stdout } = await nereidInside(['lane', 'acme/infra/network'], { console, ...onTerminal });

    expect(stdout).toBe(`acme/infra/network  review
Waiting for a review of deployment 3f2a8c1e; one deployment waits behind it.
Deployed: nothing

Runs
ID        STATUS           COMMIT   BY     WHEN    TITLE
3f2a8c1e  awaiting-review  abc1234  alice  2h ago  Add a bucket

Waits, in this order
ID        STATUS  COMMIT   BY     WHEN    TITLE
33333333  queued  abc1234  alice  2h ago  Add a bucket

Ended
ID        STATUS        COMMIT   BY     WHEN    TITLE
11111111  apply-failed  abc1234  alice  3h ago  Add a bucket
`);
  });

  test('deployments have filters', async () => {
    const console = await aBusyConsole();
    const idsOf = async (...args: readonly string[]) =>
      linesOf((await nereidInside(['deployments', '--json', ...args], { console })).stdout).map(
        (line) => (line as { id: string }).id,
      );

    expect(await idsOf()).toEqual([REVIEW.id, QUEUED.id, '11111111-0d4b-4e7a-9c55-1f0e6b7a2d90']);
    expect(await idsOf('--status', 'queued')).toEqual([QUEUED.id]);
    expect(await idsOf('--person', 'nobody')).toEqual([]);
  });

  test('the audit trail says which days it lacks, and that it is not the whole', async () => {
    const console = await aBusyConsole();
    const event = {
      version: 1,
      id: 'f',
      state: 'FORGED',
      forged: 'go',
      about: 'd',
      sentence: 'expected a signature',
    } as const;
    const [yesterday, now] = [86_400_000, 0].map((ms) => new Date(Date.now() - ms).toISOString());
    await createAuditTrail(console.store).append(now ?? '', 'f', { ...event, at: now ?? '' });
    const day = (yesterday ?? '').slice(0, 10);
    const list = console.store.listStamped.bind(console.store);
    console.store.listStamped = (prefix, options) => {
      if (prefix.includes(day.replaceAll('-', '/'))) throw new Error('away');
      return list(prefix, options);
    };

    const { status, stdout, stderr } = await nereidInside(['activity'], { console });

    expect([status, stderr]).toEqual([5, `Storage does not answer for ${day}: that is missing here.\n`]);
    expect(stdout).toContain('expected a signature');
  });

  test.each([
    [['lanes'], 'No lanes, or none that you may see.\n'],
    [['hosts'], 'No hosts, or none that you may see.\n'],
    [['activity'], 'No events, or none that you may see.\n'],
    [['rollout'], 'No merges of the last days, or none that you may see.\n'],
    [['deployments', '--repository', 'acme/infra'], 'No deployments like these, or none that you may see.\n'],
    [['deployments', '--json'], ''],
  ])('%j without anything says so, but nothing to a program', async (args, stderr) => {
    const console = await aConsole({ isLocal: true });

    expect(await nereidInside(args, { console })).toEqual({ status: 0, stdout: '', stderr });
  });

  test('a rollout has its roots', async () => {
    const console = await aBusyConsole();

    const one = await nereidInside(['rollout', 'acme/infra', RUNNING.revision.sha], { console });
    const unknown = await nereidInside(['rollout', 'acme/infra', 'f'.repeat(40)], { console });

    expect(one.stdout).toContain('1 review');
    expect(unknown).toMatchObject({ status: 3, stdout: '', stderr: expect.stringContaining('was not deployed') });
  });

  test('a rollout that is halted says why, as its page does', async () => {
    const reason =
      'is halted by wave 1 of 2 (canary): its check errors failed once, at Sat 14:00 UTC, and answered 500';
    const waitsFor = { gate: 'soak', who: ['rerun', 'skip_soak'] } as const;
    const progress = { ...RUNNING.progress, status: 'blocked', reason: `${reason}${HOSTILE}`, waitsFor } as const;
    const console = await aConsole({ isLocal: true, lane: { running: { ...RUNNING, progress } } });

    const { stdout } = await nereidInside(['rollout', 'acme/infra', RUNNING.revision.sha], { console });

    expect(stdout).toContain(`\nThe next wave ${reason}`);
    expect(stdout).not.toContain(HOSTILE);
  });

  test('a rollout whose wave soaks says until when, and what then', async () => {
    const reason = 'waits for wave 1 of 2 (canary), which soaks until Sat 14:00 UTC';
    const waitsFor = { gate: 'soak', who: ['skip_soak'], until: 1, wave: 1 } as const;
    const progress = { ...RUNNING.progress, status: 'blocked', reason, waitsFor } as const;
    const console = await aConsole({ isLocal: true, lane: { running: { ...RUNNING, progress } } });

    const { stdout } = await nereidInside(['rollout', 'acme/infra', RUNNING.revision.sha], { console });

    expect(stdout).toContain(`\nThe next wave ${reason}. Then it begins by itself.\n`);
  });

  test('a rollout that is halted comes first of what needs a person', async () => {
    const waitsFor = { gate: 'soak', who: ['rerun', 'skip_soak'] } as const;
    const reason = `is halted by wave 1 of 2 (canary)${HOSTILE}`;
    const progress = { ...RUNNING.progress, status: 'blocked', reason, waitsFor } as const;
    const console = await aConsole({ isLocal: true, lane: { running: { ...RUNNING, progress } } });

    const { stdout } = await nereidInside([], { console });

    expect(stdout).toMatch(/^acme\/infra abc1234 {2}halted/);
    expect(stdout).toContain('The next wave is halted by wave 1 of 2 (canary)');
    expect(stdout).toContain('nereid rollout acme/infra abc1234');
    expect(stdout).not.toContain(HOSTILE);
  });
});

describe('a deployment', () => {
  test('shows its plan, what is destroyed first, and what can be done', async () => {
    const console = await aBusyConsole();

    const { status, stdout } = await nereidInside(['deployment', 'acme/infra/network'], { console, ...onTerminal });

    expect(status).toBe(0);
    expect(stdout).toBe(`acme/infra/network  awaiting-review  2 to add, 1 to change, 2 to destroy
abc1234 “Add a bucket”, merge of #12 by @alice, 2h ago
Plan: 2 to add, 1 to change, 2 to destroy
  - destroy aws_s3_bucket.old
  ± replace aws_instance.web["a"]
  ~ change  module.vpc.aws_route.internet
  + create  aws_s3_bucket.new
The wait for a review ends in 7d
Actions, if the rules of the root let you: confirm, reject, extend, cancel
Page: ${console.url}/deployments/${REVIEW.id}?lane=acme%2Finfra%2Fnetwork
`);
  });

  test('whose plan was made again says why, above the plan that is there by now', async () => {
    const reason = `Planned again: the state changed since the plan was made${HOSTILE}`;
    const running = aDeployment({ status: 'awaiting-review', plan: aPlan(), reason });
    const console = await aConsole({ isLocal: true, lane: { running } });

    const { stdout } = await nereidInside(['deployment', 'acme/infra/network'], { console });

    expect(stdout).toMatch(/\nPlanned again: the state changed since the plan was made[^\n]*\nPlan: 2 to add/);
    expect(stdout).not.toContain('\u001b]');
  });

  test('whose apply failed says what going back would do', async () => {
    const console = await aBusyConsole();
    const [failedId, headSha, baseSha] = ['11111111-0d4b-4e7a-9c55-1f0e6b7a2d90', 'd'.repeat(40), 'a'.repeat(40)];
    const { revision, ...plan } = aDeployment({ status: 'planned', plan: aPlan({ hasChanges: false }) });
    const reverts = { deploymentId: failedId, pullRequest: 42 };
    const preview = { headSha, baseSha, expiresAt: new Date().toISOString(), reverts };
    const own = {
      id: revertIdOf(failedId),
      trigger: 'preview',
      preview,
      revision: { ...revision, sha: baseSha },
    } as const;
    const record = { version: 1, repository: REPOSITORY, endedAt: new Date().toISOString() } as const;
    await createPullRequestRecords(console.store).writePreview({ ...record, deployment: { ...plan, ...own } });

    const { stdout } = await nereidInside(['deployment', '11111111'], { console });

    expect(stdout).toContain('Going back to aaaaaaa would change nothing. To go back, press Revert on #42.\n');
  });

  test('is found by its id and its lane, and by the address of its page', async () => {
    const console = await aBusyConsole();
    const page = `${console.url}/deployments/${QUEUED.id}?lane=acme%2Finfra%2Fnetwork`;

    const { stdout } = await nereidInside(['deployment', page, '--json'], { console });

    expect(DeploymentDetail.parse(JSON.parse(stdout))).toMatchObject({ id: QUEUED.id, ahead: 1 });
  });

  test('is found by the beginning of its id, as tables show it', async () => {
    const console = await aBusyConsole();

    const found = await nereidInside(['deployment', '33333333', '--json'], { console });
    const unknown = await nereidInside(['deployment', '99999999'], { console });

    expect(JSON.parse(found.stdout)).toMatchObject({ id: QUEUED.id });
    expect(unknown).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('none of the last deployments begins'),
    });
  });

  test.each([
    ['deployment', '99999999-0d4b-4e7a-9c55-1f0e6b7a2d90'],
    ['deployment', 'acme/infra/none'],
    ['lane', 'acme/infra/none'],
    ['pull', 'acme/infra#99'],
    ['logs', 'acme/infra/none'],
  ])('%s %s that nobody knows is not found: exit code 3', async (verb, name) => {
    const console = await aBusyConsole();

    const { status, stdout, stderr } = await nereidInside([verb, name], { console });

    expect([status, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(/^.+\n$/);
  });
});

describe('for programs', () => {
  test('--json prints the answer of the API unchanged, and nothing else', async () => {
    const console = await aBusyConsole();

    const lane = await nereid(['lane', 'acme/infra/network', '--json'], { console });
    const attention = await nereidInside(['--json'], { console });

    const answer: unknown = await (await console.get('/api/v1/lanes/acme/infra/network')).json();
    expect([lane.status, lane.stderr]).toEqual([0, '']);
    expect(JSON.parse(lane.stdout)).toEqual(answer);
    expect(LaneDetail.parse(answer)).toEqual(answer);
    expect(Attention.parse(JSON.parse(attention.stdout)).lanes.items).toHaveLength(1);
  });

  test('a source that does not answer is told on stderr', async () => {
    const console = await aConsole({ isLocal: true, lane: { running: RUNNING }, isTemporalAway: true });

    const { status, stdout, stderr } = await nereidInside(['lanes', '--json'], { console });

    expect([status, linesOf(stdout)]).toMatchObject([0, [{ rootName: 'network' }]]);
    expect(stderr).toBe('Temporal does not answer: the progress of deployments is not known.\n');
  });
});

describe('titles from commits', () => {
  test.each([
    [[]],
    [['lanes']],
    [['lane', 'acme/infra/network']],
    [['deployment', 'acme/infra/network']],
    [['lanes', '--json']],
  ])('never reach the terminal as they came: %j', async (args) => {
    const revision = { ...REVIEW.revision, title: HOSTILE };
    const lane = { ...{ running: { ...REVIEW, revision, requestedBy: HOSTILE } }, lock: { ...aLock(), by: HOSTILE } };
    const console = await aConsole({ isLocal: true, lane, ...reviewing });

    const { status, stdout } = await nereidInside(args, { console, terminal: { columns: 80 } });

    expect(status).toBe(0);
    expect(stdout).toContain('acme/infra');
    // eslint-disable-next-line no-control-regex -- the pattern looks for control characters
    expect(stdout.replaceAll(/\u001b\[\d+m/g, '')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });
});

const emptyLane = {
  version: 1,
  repository: REPOSITORY,
  manual: [],
  merged: [],
  seen: { requestIds: [], merges: [] },
  writer: { runId: 'run', sequence: 1 },
} as const;

function linesOf(text: string): readonly unknown[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
}
