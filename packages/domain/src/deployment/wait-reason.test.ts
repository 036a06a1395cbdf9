import { expect, test } from '@jest/globals';
import { readWaitAtGate } from './wait-reason.ts';

const BUDGET = { gate: 'budget', who: ['other lanes'] };
const named = (n: number) => ({ rootName: `root-${n}`, deploymentId: `d${n}` });

test('a wait keeps the deployments that it names, five at most', () => {
  const all = [1, 2, 3, 4, 5, 6].map(named);

  expect(readWaitAtGate({ ...BUDGET, named: all })).toEqual({ ...BUDGET, named: all.slice(0, 5) });
});

test.each([
  ['no object', null],
  ['no name', { deploymentId: 'd1' }],
  ['an empty id', { rootName: 'dns', deploymentId: '' }],
  ['a name of another type', { rootName: ['dns'], deploymentId: 'd1' }],
  ['a name without an end', { rootName: 'd'.repeat(301), deploymentId: 'd1' }],
])('whoever reaches Temporal names nothing with %s', (_what, said) => {
  expect(readWaitAtGate({ ...BUDGET, named: [said, named(1)] })).toEqual({ ...BUDGET, named: [named(1)] });
});

test('a wait that names no deployments names none', () => {
  expect(readWaitAtGate({ ...BUDGET, named: 'dns' })).toEqual(BUDGET);
  expect(readWaitAtGate({ gate: 'none of ours' })).toBeUndefined();
});
