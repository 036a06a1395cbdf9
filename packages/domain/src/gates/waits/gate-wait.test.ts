import { expect, test } from '@jest/globals';
import { gateWaitOf, readGateWait, shownWait, type GateWait } from './gate-wait.ts';

const NAMED = [{ rootName: 'dns', deploymentId: 'd1' }];
const SHOWN = { gate: 'budget', who: ['other lanes'], until: 7, named: NAMED } as const;
const WAIT: GateWait = { ...SHOWN, sentence: '1 of 1 apply on aws-prod: dns', askAgain: 5, isRepeated: true };

test('a wait that control told is read with all its fields', () => {
  expect(readGateWait(JSON.parse(JSON.stringify(WAIT)))).toEqual(WAIT);
  expect(readGateWait({ ...WAIT, askAgain: 'soon' })).toEqual({ ...WAIT, askAgain: 'soon' });
});

test('a wait has every field of the closed gate, and mentions nobody: nobody signs it', () => {
  const { isRepeated: _ofRequest, ...wait } = WAIT;

  expect(gateWaitOf({ ...wait, kind: 'waits', sentence: 'Stopped: ask @bob' })).toEqual({
    ...wait,
    sentence: 'Stopped: ask bob',
  });
});

test('people read the sentence, and which gate it is', () => {
  expect(shownWait(WAIT)).toEqual({ reason: WAIT.sentence, waitsFor: SHOWN });
});

test.each([
  ['nothing', undefined],
  ['a text', 'budget'],
  ['no gate', { ...WAIT, gate: 'none of ours' }],
  ['no sentence', { ...WAIT, sentence: 1 }],
])('whoever reaches Temporal makes nobody wait with %s', (_what, said) => {
  expect(readGateWait(said)).toBeUndefined();
});

test('of what whoever reaches Temporal says, a wait keeps what it can be', () => {
  const odd = {
    gate: 'window',
    sentence: 'x'.repeat(1_000),
    who: ['root'],
    until: 'never',
    askAgain: 1e99,
    isRepeated: 1,
  };

  expect(readGateWait(odd)).toEqual({ gate: 'window', sentence: 'x'.repeat(600), who: [] });
});
