import { expect, test } from '@jest/globals';
import type { ApplyOutcome } from '@nereid/domain/deployment';
import { lateOutcomeSentence } from './late-outcome-sentence.ts';

const COUNTS = { added: 1, changed: 2, destroyed: 3, imported: 0 };

test.each<[ApplyOutcome, string]>([
  [{ kind: 'applied', counts: COUNTS }, 'the apply that it had begun ended: 1 added, 2 changed, 3 destroyed.'],
  [
    { kind: 'applied', counts: { ...COUNTS, imported: 4 } },
    'the apply that it had begun ended: 1 added, 2 changed, 3 destroyed, 4 imported.',
  ],
  [
    { kind: 'failed', failure: { body: { summary: 'apply ended with exit code 1', lines: ['a', 'b'] } } },
    'the apply that it had begun failed; its log has more: apply ended with exit code 1',
  ],
  [{ kind: 'plan-unusable', why: 'stale' }, 'the apply that it had begun changed nothing: stale'],
  [{ kind: 'not-begun' }, 'Terraform had not begun to apply, and nothing was changed by it.'],
  [{ kind: 'unknown', why: 'gone' }, 'nobody can tell how the apply that it had begun ended: gone'],
])('%j is told by what it means for the resources', (outcome, told) => {
  expect(lateOutcomeSentence('h1', outcome)).toBe(`Host h1 came back: ${told}`);
});

test('what is told is no longer than a notice may be', () => {
  expect(lateOutcomeSentence('h1', { kind: 'unknown', why: 'x'.repeat(1_000) })).toHaveLength(500);
});
