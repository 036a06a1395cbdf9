import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import { forgetTaken } from './taken-before.ts';
import { intakeStageOfThisFile } from './testing/intake-stage.ts';
import { BACKEND } from './testing/staged-repository.ts';

const ROOTS = { 'network/main.tf': BACKEND };
const DAY_MS = 24 * 3_600_000;

const stage = intakeStageOfThisFile();

afterEach(() => {
  stage.standIn.faults.clear();
});

function aDigest(): string {
  return randomBytes(32).toString('hex');
}

async function aComment(line: string) {
  const infra = await stage.repository(ROOTS);
  const opened = await infra.pullRequest({ 'network/a.tf': '' });
  return { infra, opened, event: infra.says(opened, line, 'ada'), bodyDigest: aDigest() };
}

test('the same comment under a new delivery id is not taken again', async () => {
  const { infra, opened, event, bodyDigest } = await aComment('nereid apply');
  await stage.deliver(event, { delivery: 'first', bodyDigest });

  const again = await stage.deliver(event, { delivery: 'second', bodyDigest });

  expect(again).toEqual({ kind: 'nothing', sentence: expect.stringContaining('as the delivery first'), workflows: [] });
  expect(infra.comments(opened)).toHaveLength(1);
});

test('the same push under a new delivery id is not taken again', async () => {
  const infra = await stage.repository(ROOTS);
  const event = infra.pushes(await infra.head(), await infra.commit({ 'network/a.tf': '' }));
  const bodyDigest = aDigest();

  const results = [
    await stage.deliver(event, { delivery: 'push-1', bodyDigest }),
    await stage.deliver(event, { delivery: 'push-2', bodyDigest }),
  ];

  expect(results.map(({ kind }) => kind)).toEqual(['signalled', 'nothing']);
  expect(await infra.lane('network').signals()).toEqual(['new-revision']);
});

test('a delivery that failed halfway, or that GitHub sends again, is taken', async () => {
  const { infra, opened, event, bodyDigest } = await aComment('nereid help');
  stage.standIn.faults.add({ kind: 'failure', status: 502, route: /^POST .*comments$/, times: 1 });

  await expect(stage.deliver(event, { delivery: 'third', bodyDigest })).rejects.toMatchObject({ nonRetryable: false });
  await stage.deliver(event, { delivery: 'third', bodyDigest });

  expect(infra.comments(opened)).toHaveLength(1);
});

test('the same press twice is judged twice', async () => {
  const infra = await stage.repository(ROOTS);
  const checkRun = await infra.ownCheckRun('network', await infra.head());
  const bodyDigest = aDigest();
  const press = infra.presses(checkRun, 'unlock');

  const results = [await stage.deliver(press, { bodyDigest }), await stage.deliver(press, { bodyDigest })];

  expect(results.map(({ kind }) => kind)).toEqual(['refused', 'refused']);
});

describe('a Re-run', () => {
  async function aFailure() {
    const infra = await stage.repository(ROOTS);
    const checkRun = await infra.ownCheckRun('network', await infra.head());
    return { infra, event: infra.reruns(checkRun), bodyDigest: aDigest() };
  }

  test('that was accepted is not accepted again, however late the same body comes', async () => {
    const { infra, event, bodyDigest } = await aFailure();
    await stage.deliver(event, { delivery: 'rerun-1', bodyDigest });
    const [deployment] = await infra.lane('network').deployments();
    await infra.lane('network').hearsOfLost({ id: deployment?.id ?? '' });
    await forgetTaken(stage.context, Date.now() + 7 * DAY_MS);

    const again = await stage.deliver(event, { delivery: 'rerun-2', bodyDigest });

    expect(again).toMatchObject({ kind: 'nothing', sentence: expect.stringContaining('as the delivery rerun-1') });
    expect(await infra.lane('network').deployments()).toHaveLength(1);
  });

  test('that was refused is judged again: the reason may be gone', async () => {
    const infra = await stage.repository({ 'guarded/main.tf': BACKEND });
    const event = infra.reruns(await infra.ownCheckRun('guarded', await infra.head()));
    const bodyDigest = aDigest();
    const refused = await stage.deliver(event, { bodyDigest });

    // Permissions are remembered for half a second, so somebody else has them.
    const again = await stage.deliver({ ...event, sender: 'ada' }, { bodyDigest });

    expect([refused.kind, again.kind]).toEqual(['refused', 'signalled']);
  });

  test('whose delivery GitHub sends again is the same one', async () => {
    const { infra, event, bodyDigest } = await aFailure();
    await stage.deliver(event, { delivery: 'rerun-3', bodyDigest });

    const again = await stage.deliver(event, { delivery: 'rerun-3', bodyDigest });

    expect(again.sentence).not.toContain('was taken before');
    expect(await infra.lane('network').deployments()).toHaveLength(1);
  });
});

test('an old comment is not taken, however young its delivery is: its mark may be gone', async () => {
  const { event, bodyDigest } = await aComment('nereid apply -f');
  const createdAt = new Date(Date.now() - 3 * DAY_MS - 1_000).toISOString();
  const old = { ...event, createdAt };

  await expect(stage.deliver(old, { bodyDigest })).rejects.toMatchObject({ type: 'EVENT_EXPIRED', nonRetryable: true });
});

test('marks are kept for as long as their events live', async () => {
  const { event, bodyDigest } = await aComment('nereid help');
  await stage.deliver(event, { delivery: 'fourth', bodyDigest });

  await forgetTaken(stage.context, Date.now() + 4 * DAY_MS);
  const early = await stage.deliver(event, { bodyDigest });
  await forgetTaken(stage.context, Date.now() + 7 * DAY_MS);
  const late = await stage.deliver(event, { bodyDigest });

  expect([early.sentence, late.sentence]).toEqual([
    expect.stringContaining('as the delivery fourth'),
    'the commands are listed in a reply',
  ]);
});
