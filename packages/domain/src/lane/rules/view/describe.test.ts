import { describe, expect, test } from '@jest/globals';
import { aLock } from '../../../testing/samples.ts';
import { deploymentAt, NOW, shaAt } from '../../../testing.ts';
import { describeLane, describeUnrestored, stateName } from './describe.ts';
import { newLane } from '../state/lane-state.ts';

const running = deploymentAt(1, { progress: { status: 'blocked', reason: 'GitHub is away', times: {}, jobs: {} } });
const merged = Array.from({ length: 12 }, (_, index) => deploymentAt(index + 2));
const latest = { deploymentId: '0', revision: shaAt(0), trigger: 'merge', status: 'succeeded', at: NOW } as const;

test.each([
  ['blocked', { ...newLane, running }, 'its record cannot be read'],
  ['running', { ...newLane, running, lock: aLock() }, undefined],
  ['locked', { ...newLane, lock: aLock() }, undefined],
  ['idle', newLane, undefined],
])('the state of a lane is one word: %s', (word, state, blocked) => {
  expect(stateName(state, blocked)).toBe(word);
});

describe('a lane in the Temporal UI', () => {
  test('says what runs and why it does not, what waits, and what is deployed', () => {
    expect(describeLane({ ...newLane, running, latest, queue: { manual: [], merged: merged.slice(0, 1) } })).toBe(
      [
        '**Running** `0000000` merge by @alice, blocked: GitHub is away',
        '**1 waiting**',
        '1. `0000000` merge by @alice, queued',
        `Latest: \`0000000\` (succeeded, ${latest.at})`,
      ].join('\n\n'),
    );
  });

  test('says who can unblock it, and tells a long queue by its length', () => {
    const text = describeLane(
      { ...newLane, lock: aLock(), queue: { manual: [], merged } },
      'its record cannot be written',
    );

    expect(text).toContain('**Blocked** its record cannot be written');
    expect(text).toContain('**12 waiting**');
    expect(text).not.toContain('11. ');
    expect(text).toContain(
      '**Locked** by a manual deployment of def5678 by @bob, since 2026-01-31T13:00:00.000Z. Unlock takes write permission.',
    );
  });

  test('names the workflow that knows how far a started deployment is', () => {
    const text = describeLane({
      ...newLane,
      running: { ...running, progress: { status: 'preparing', times: {}, jobs: {} } },
    });

    expect(text).toContain(`started: workflow \`${running.id}\` says how far it is`);
  });

  test('says that nothing ever happened', () => {
    expect(describeLane(newLane)).toBe('**Nothing runs**\n\nNothing waits.\n\nNever deployed.');
  });

  test.each([
    [1, '1 message is kept until then.'],
    [2, '2 messages are kept until then.'],
  ])('says only what it keeps while its record cannot be read (%d)', (messages, sentence) => {
    expect(describeUnrestored('its record is read', messages)).toBe(`**Blocked** its record is read\n\n${sentence}`);
  });
});
