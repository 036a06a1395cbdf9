/** What people do, with control as the test has it answer. */
import { describe, expect, test } from '@jest/globals';
import { aConsole, API_TOKEN, RUNNING, TOKEN, type Outside } from '@nereid/console/testing';
import { aDeployment, aLock, aPlan } from '@nereid/domain/testing';
import { createHostRecords, createStopRecords } from '@nereid/storage';
import { controlThat, type FakeControl } from './testing/fake-control.ts';
import { nereid, nereidInside } from './testing/run.ts';

const SHA = RUNNING.revision.sha;
const REVIEW = aDeployment({ status: 'awaiting-review', plan: aPlan() });
const LANE = 'acme/infra/network';
const LOCKED = `network is locked by a manual deployment of def5678 by @bob, since ${aLock().at}.
Without the lock, the next deployment will not wait; none waits at present.
`;

function aConsoleWith(requests: FakeControl, outside: Outside = {}) {
  return aConsole({ isLocal: true, requests, lane: { running: REVIEW, lock: aLock() }, ...outside });
}

describe('what is asked for', () => {
  test.each([
    [['unlock', LANE, '--yes'], { action: 'unlock', rootName: 'network', deployment: aLock().deploymentId }],
    [['cancel', LANE], { action: 'cancel', rootName: 'network', deploymentId: REVIEW.id }],
    [['cancel', REVIEW.id, '--json'], { action: 'cancel', deploymentId: REVIEW.id }],
    [['rerun', LANE], { action: 'rerun', deploymentId: REVIEW.id }],
    [['deploy', 'acme/infra', SHA, 'network', 'dns'], { action: 'deploy', revision: SHA, roots: ['network', 'dns'] }],
    [['confirm', LANE, '--yes'], { action: 'confirm', deploymentId: REVIEW.id }],
    [['reject', LANE, '-y'], { action: 'reject', deploymentId: REVIEW.id }],
  ])('the call %j asks for its action, about what it names', async (args, request) => {
    const control = controlThat({ sentence: '@alice did it' });
    const found = { kind: 'found', value: { owner: 'acme', name: 'infra', rootName: 'network' } } as const;
    const console = await aConsoleWith(control, { findLane: found });

    const { status, stdout, stderr } = await nereidInside(args, { console });

    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('@alice did it.');
    expect(control.asked).toMatchObject([{ request, visitor: { person: { login: 'alice' } } }]);
  });

  test('is a lock of which the person has read what lifting it does, and who agrees', async () => {
    const control = controlThat({});
    const console = await aConsoleWith(control);
    const unlock = (types: string) =>
      nereidInside(['unlock', LANE], { console, terminal: { columns: 200, types }, env: { NO_COLOR: '1' } });

    const [no, yes] = [await unlock('n\n'), await unlock('y\n')];

    expect(no).toMatchObject({
      status: 1,
      stdout: LOCKED,
      stderr: expect.stringMatching(/^Lift this lock\? \[y\/N\] /),
    });
    expect(no.stderr).toMatch(/Nothing was done\.\n$/);
    expect([yes.status, control.asked.length]).toEqual([0, 1]);
    expect(await nereid(['unlock', LANE], { console })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('expected a terminal to ask on, found none: --yes does it without'),
    });
  });

  test('goes in the name of a token', async () => {
    const control = controlThat({});
    const console = await aConsoleWith(control);

    const { status } = await nereid(['unlock', LANE, '--yes'], { console, env: { NEREID_TOKEN: TOKEN } });

    expect(status).toBe(0);
    expect(control.asked).toMatchObject([{ visitor: { person: { login: 'robot', token: { name: 'ci' } } } }]);
  });

  test('to cancel takes a token of nothing else', async () => {
    const control = controlThat({});
    const console = await aConsoleWith(control, {
      login: { policy: undefined, tokens: [{ ...API_TOKEN, scopes: ['cancel'] }] },
    });

    const { status, stderr } = await nereid(['cancel', REVIEW.id], { console, env: { NEREID_TOKEN: TOKEN } });

    expect([status, stderr]).toEqual([0, '']);
    expect(control.asked).toMatchObject([{ request: { action: 'cancel', deploymentId: REVIEW.id } }]);
  });

  test('to plan a pull request again', async () => {
    const control = controlThat({});
    const console = await aConsoleWith(control);
    await console.pullRequests.change(REPOSITORY, { number: 12 }, () => {
      return { version: 1, repository: REPOSITORY, number: 12, checkRuns: [] };
    });

    expect(await nereidInside(['plan', 'acme/infra#12', 'network'], { console })).toMatchObject({ status: 0 });
    expect(control.asked).toMatchObject([{ request: { action: 'plan', pullRequest: 12, roots: ['network'] } }]);
  });
});

test.each([
  [['stop', 'acme/infra', '8d', 'why'], 'expected a time from 1m to 7d for a stop, like 2h, found 8d; for longer,'],
  [['stop', '--all', 'soon', 'why'], 'expected a time from 1m to 7d for a stop, like 2h, found soon'],
  [['stop', '2h', 'why'], 'stop needs REASON'],
  [['skip-soak', 'acme/infra', SHA, 'x', 'why'], 'expected the number of a wave, like 1, found x'],
  [['cancel', '3f2a8c1e', '--timeout', 'soon'], 'expected a time like 90s, 10m or 2h, at most 24d, as --timeout'],
])('%j is wrong whatever the console says, so nobody is asked', async (args, why) => {
  const { status, stderr } = await nereidInside(args, { console: { url: 'http://127.0.0.1:4999' } });

  expect([status, stderr]).toEqual([2, expect.stringContaining(why)]);
});

describe('a host', () => {
  test('is named by the beginning of its id, also when it was stopped', async () => {
    const control = controlThat({});
    const console = await aConsoleWith(control);
    const at = new Date().toISOString();
    const slots = { total: 4, used: 1 };
    await createHostRecords(console.store).write({ version: 1, hostId: 'fc835ae8-1', at, slots, draining: false });

    const drained = await nereidInside(['drain', 'fc8'], { console });
    const unknown = await nereidInside(['resume', 'other'], { console });
    const listed = await nereidInside(['hosts'], { console });

    expect([drained.status, unknown.status]).toEqual([0, 3]);
    expect(control.asked).toMatchObject([{ request: { action: 'drain', hostId: 'fc835ae8-1' } }]);
    expect(listed.stdout).toContain('fc835ae8-1  default  ready  1/4');
  });
});

describe('all repositories, or a pool', () => {
  test.each([
    [['stop', '--all', '2h', 'an incident'], { action: 'stop_pool', pool: '*', for: '2h', reason: 'an incident' }],
    [
      ['stop', '2h', 'its network', '--pool', 'gpu'],
      { action: 'stop_pool', pool: 'gpu', for: '2h', reason: 'its network' },
    ],
    [['thaw', '--all'], { action: 'thaw_pool', pool: '*' }],
    [['thaw', '--pool=gpu'], { action: 'thaw_pool', pool: 'gpu' }],
    [['thaw', 'acme/infra'], { action: 'thaw' }],
  ])('are what %j is about', async (args, request) => {
    const control = controlThat({});

    expect(await nereidInside(args, { console: await aConsoleWith(control) })).toMatchObject({ status: 0, stderr: '' });

    expect(control.asked.map((asked) => asked.request)).toEqual([request]);
  });

  test.each([
    [['stop', '--all'], 'stop needs FOR'],
    [['stop', '--all', '--pool', 'gpu', '2h', 'why'], 'expected --all or --pool, found both'],
    [['thaw', '--all', 'acme/infra'], 'thaw takes no arguments, found also: acme/infra'],
    [['stop', '--all', '2h', 'why', 'prod/**'], 'stop takes FOR REASON, found also: prod/**'],
    [['thaw'], 'thaw needs OWNER/NAME'],
  ])('are not what %j is about, which says why', async (args, why) => {
    const control = controlThat({});

    const { status, stderr } = await nereidInside(args, { console: await aConsoleWith(control) });

    expect([status, stderr]).toEqual([2, expect.stringContaining(why)]);
    expect(control.asked).toEqual([]);
  });

  test('are listed with the person, the reason and the end', async () => {
    const console = await aConsoleWith(controlThat({}));
    const [at, until] = [-60_000, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
    const body = { version: 1, requestId: 'r1', pool: '*', by: 'ada', reason: 'an incident' } as const;
    await createStopRecords(console.store).changePools((found) => ({
      ...found,
      stops: [{ body: { ...body, at: at ?? '', until: until ?? '' }, signature: 'a..b' }],
    }));

    const { stdout, stderr } = await nereidInside(['stops'], { console });

    expect(stdout).toMatch(/^WHAT .*\nall repositories +@ada .* an incident\n$/);
    expect(stderr).toContain('Not verified: the console has no ORDERS_PUBLIC_KEY');
  });
});

describe('an answer', () => {
  test('of the API is printed unchanged with --json, and nothing else', async () => {
    const console = await aConsoleWith(controlThat({}));

    const { status, stdout, stderr } = await nereid(['unlock', LANE, '--yes', '--json'], { console });

    expect([status, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ state: 'accepted', sentence: '@alice did it.' });
  });

  test('that is a refusal is a sentence on stderr, and exit code 1', async () => {
    const sentence = '@alice may not unlock network: that takes the permission admin';
    const console = await aConsoleWith(controlThat({ isRefused: true, sentence }));

    expect(await nereid(['unlock', LANE, '--yes'], { console })).toEqual({
      status: 1,
      stdout: LOCKED,
      stderr: `${sentence}.\n`,
    });
    expect(await nereidInside(['unlock', LANE, '--yes', '--json'], { console })).toMatchObject({
      status: 1,
      stdout: '',
    });
  });

  test('that is to come is asked for until it is there', async () => {
    const console = await aConsoleWith(
      controlThat({ kind: 'pending' }, { kind: 'pending' }, { sentence: 'done at last' }),
    );

    expect(await nereid(['unlock', LANE, '--yes'], { console })).toEqual({
      status: 0,
      stdout: `${LOCKED}Done at last.\n`,
      stderr: '',
    });
  });

  test('that comes as a refusal is one', async () => {
    const console = await aConsoleWith(
      controlThat({ kind: 'pending' }, { isRefused: true, sentence: 'it is not locked' }),
    );

    expect(await nereidInside(['unlock', LANE, '--yes'], { console })).toMatchObject({
      status: 1,
      stderr: 'It is not locked.\n',
    });
  });

  test('that never comes ends with exit code 7, and says what goes on', async () => {
    const console = await aConsoleWith(controlThat({ kind: 'pending' }));

    const { status, stdout, stderr } = await nereid(['unlock', LANE, '--yes', '--timeout', '1s'], { console });

    expect([status, stdout]).toEqual([7, LOCKED]);
    expect(stderr).toContain('no end within 1s: what you asked for may be carried out all the same');
  });

  test('of a console that only reads is not now: exit code 5', async () => {
    const console = await aConsole({ isLocal: true, lane: { running: REVIEW } });

    const { status, stderr } = await nereidInside(['cancel', LANE], { console });

    expect([status, stderr]).toEqual([5, expect.stringContaining('This console only reads')]);
  });
});

describe('an answer to a plan', () => {
  const seenOf = async (console: { readonly get: (path: string) => Promise<Response> }) => {
    const found = (await (await console.get(`/api/v1/deployments/${REVIEW.id}?lane=${LANE}`)).json()) as {
      seen: string;
    };
    return found.seen;
  };

  test('shows the plan, asks, and confirms exactly what was shown', async () => {
    const control = controlThat({});
    const console = await aConsoleWith(control);
    const terminal = { columns: 80, types: 'y\n' };

    const { status, stdout, stderr } = await nereidInside(['confirm', LANE], { console, terminal });

    expect(status).toBe(0);
    expect(stdout).toContain('Plan: 2 to add, 1 to change, 2 to destroy');
    expect(stderr).toContain('Confirm this plan? [y/N]');
    expect(control.asked).toMatchObject([{ request: { action: 'confirm', seen: await seenOf(console) } }]);
  });

  test.each(['n\n', '\n', 'yep\n'])('is not given by %j', async (types) => {
    const control = controlThat({});
    const console = await aConsoleWith(control);

    const { status, stderr } = await nereidInside(['confirm', LANE], {
      console,
      terminal: { columns: 80, types },
    });

    expect([status, control.asked]).toEqual([1, []]);
    expect(stderr).toContain('Nothing was done.');
  });

  test('needs a terminal, or the word of the script', async () => {
    const control = controlThat({});
    const console = await aConsoleWith(control);

    const { status, stderr } = await nereid(['confirm', LANE], { console, stdin: 'y\n' });

    expect([status, control.asked]).toEqual([2, []]);
    expect(stderr).toContain('--yes');
  });

  test('of a known plan asks nobody, and is refused for another one', async () => {
    const control = controlThat({});
    const console = await aConsoleWith(control);
    const seen = await seenOf(console);

    const other = await nereidInside(['confirm', LANE, '--seen', '0'.repeat(64)], { console });
    const same = await nereidInside(['confirm', LANE, '--seen', seen], { console });

    expect([other.status, same.status]).toEqual([1, 0]);
    expect(other.stderr).toContain(`which is ${seen}`);
    expect(control.asked).toHaveLength(1);
  });

  test('that comes too late shows the plan that is there by now', async () => {
    const control = controlThat({
      isRefused: true,
      sentence: 'that was for another plan. Look at the plan shown here.',
    });
    const newer = aPlan({ digest: 'f'.repeat(64), summary: { ...aPlan().made.body.summary, create: 7 } });
    const console = await aConsoleWith({
      ...control,
      async make(asked) {
        await console.becomes({ running: aDeployment({ status: 'awaiting-review', plan: newer }) });
        return control.make(asked);
      },
    });

    const { status, stderr } = await nereidInside(['confirm', LANE, '--yes'], { console });

    expect(status).toBe(1);
    expect(stderr).toContain('8 to add');
    expect(stderr).toContain('Look at the plan shown here.');
  });

  test('of what is no plan yet is refused here', async () => {
    const control = controlThat({});
    const console = await aConsoleWith(control, { lane: { running: RUNNING } });

    const { status, stderr } = await nereidInside(['confirm', LANE, '--yes'], { console });

    expect([status, control.asked]).toEqual([1, []]);
    expect(stderr).toBe('nobody can confirm this plan now: the deployment is planning\n');
  });

  test('of policies that deny is for exactly this plan', async () => {
    const control = controlThat({});
    const policies = [{ name: 'cost', enforce: 'required', verdict: 'denied', denials: [], warnings: [] }] as const;
    const denied = aDeployment({ status: 'awaiting-review', plan: aPlan({ policies }) });
    const console = await aConsoleWith(control, { lane: { running: denied } });

    const confirmed = await nereidInside(['confirm', LANE, '--yes'], { console });
    const { status } = await nereidInside(['override', LANE, '--yes'], { console });

    expect([confirmed.status, status]).toEqual([1, 0]);
    expect(control.asked).toMatchObject([{ request: { action: 'override', deploymentId: denied.id } }]);
  });

  test('of a pull request is for its merge', async () => {
    const control = controlThat({});
    const console = await aConsoleWith(control);
    await openPreview(console.pullRequests);

    const { status } = await nereidInside(['confirm', PREVIEW_PAGE, '--yes'], { console });

    expect(status).toBe(0);
    expect(control.asked).toMatchObject([{ request: { action: 'merge', rootName: 'network', deploymentId: PREVIEW } }]);
  });

  test('with --json shows the plan on stderr, and prints one line', async () => {
    const console = await aConsoleWith(controlThat({}));

    const { stdout, stderr } = await nereidInside(['confirm', LANE, '--yes', '--json'], { console });

    expect(JSON.parse(stdout)).toMatchObject({ state: 'accepted' });
    expect(stderr).toContain('2 to destroy');
  });
});

const PREVIEW = '44444444-0d4b-4e7a-9c55-1f0e6b7a2d90';
const PREVIEW_PAGE = `deployments/${PREVIEW}?lane=${encodeURIComponent(LANE)}`;
const REPOSITORY = { owner: 'acme', name: 'infra', installationId: 1 };

async function openPreview(pullRequests: Awaited<ReturnType<typeof aConsole>>['pullRequests']): Promise<void> {
  const forMerge = { tree: '1'.repeat(40), lane: 'x' };
  const preview = { headSha: 'a'.repeat(40), baseSha: 'b'.repeat(40), expiresAt: '2999-01-01T00:00:00.000Z', forMerge };
  const deployment = {
    ...aDeployment({ status: 'planned', plan: aPlan() }),
    preview,
    id: PREVIEW,
    trigger: 'preview',
  } as const;
  await pullRequests.openPreview({ version: 1, repository: REPOSITORY, deployment });
  await pullRequests.change(REPOSITORY, { number: 12 }, () => {
    return { version: 1, repository: REPOSITORY, number: 12, checkRuns: [] };
  });
}
