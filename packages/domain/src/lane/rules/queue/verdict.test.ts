import { describe, expect, test } from '@jest/globals';
import type { Latest } from '../../record.ts';
import { deploymentAt, NOW, shaAt } from '../../../testing.ts';
import { verdictOn } from './verdict.ts';

const merge = deploymentAt(2);
const manual = deploymentAt(2, { trigger: 'manual' });
const rerun = deploymentAt(2, { rerun: true });
const manualRerun = deploymentAt(2, { trigger: 'manual', rerun: true });

const latest: Latest = {
  deploymentId: '1',
  revision: 'f00ba4f00ba4',
  trigger: 'merge',
  status: 'succeeded',
  at: NOW,
};

const run = { kind: 'run', reviewRequired: false };
const review = { kind: 'run', reviewRequired: true };

describe.each([
  ['no latest', { merge: run, manual: review, rerun: run }],
  ['ahead', { merge: run, manual: review, rerun: run }],
  ['identical', { merge: { kind: 'skipped' }, manual: review, rerun: run }],
  ['behind', { merge: { kind: 'skipped' }, manual: { kind: 'refused' }, rerun: { kind: 'refused' } }],
  ['diverged', { merge: review, manual: review, rerun: { kind: 'refused' } }],
] as const)('compared with the latest deployment: %s', (comparison, expected) => {
  const known = comparison === 'no latest' ? undefined : latest;

  test(`a merge: ${JSON.stringify(expected.merge)}`, () => {
    expect(verdictOn(merge, comparison, known)).toMatchObject(expected.merge);
  });

  test(`a manual deployment: ${JSON.stringify(expected.manual)}`, () => {
    expect(verdictOn(manual, comparison, known)).toMatchObject(expected.manual);
  });

  test.each([rerun, manualRerun])(`a rerun: ${JSON.stringify(expected.rerun)} (%#)`, (deployment) => {
    expect(verdictOn(deployment, comparison, known)).toMatchObject(expected.rerun);
  });
});

describe('after a manual deployment that lacks the merge before it,', () => {
  const byHand: Latest = { ...latest, trigger: 'manual', mergeBefore: 'c0ffee0c0ffee' };

  test.each(['identical', 'behind'] as const)('a merge that comes late is skipped (%s)', (withMerge) => {
    const verdict = verdictOn(merge, 'diverged', byHand, withMerge);

    expect(verdict).toMatchObject({
      kind: 'skipped',
      sentence: expect.stringContaining('Already contained in c0ffee0'),
    });
    expect(verdict).toMatchObject({ sentence: expect.stringContaining('before the manual deployment of f00ba4f') });
  });

  test.each(['ahead', 'diverged'] as const)('another merge is judged by what is deployed (%s)', (withMerge) => {
    expect(verdictOn(merge, 'diverged', byHand, withMerge)).toEqual(verdictOn(merge, 'diverged', byHand));
  });
});

test.each([
  ['a merge', merge],
  ['a manual deployment', manual],
])('who reviews %s that does not contain what is deployed is warned', (_what, deployment) => {
  const sha = shaAt(2).slice(0, 7);

  expect(verdictOn(deployment, 'diverged', latest)).toMatchObject({
    warning: `f00ba4f is deployed, and ${sha} does not contain it. This plan removes what f00ba4f brought.`,
  });
  expect(verdictOn(deployment, 'ahead', latest)).not.toHaveProperty('warning');
});

describe('the sentence', () => {
  test.each(['identical', 'behind'] as const)('names what is deployed where nothing is run (%s)', (comparison) => {
    expect(verdictOn(merge, comparison, latest)).toMatchObject({ sentence: expect.stringContaining('f00ba4f') });
  });

  test('of what lies behind says how to go back', () => {
    const { sentence } = { sentence: '', ...verdictOn(merge, 'behind', latest) };

    expect(sentence).toContain('revert on the default branch and merge');
  });

  test('of a rerun of another history names both', () => {
    const { sentence } = { sentence: '', ...verdictOn(rerun, 'diverged', latest) };

    expect(sentence).toContain('f00ba4f');
    expect(sentence).toContain(shaAt(2).slice(0, 7));
  });
});
