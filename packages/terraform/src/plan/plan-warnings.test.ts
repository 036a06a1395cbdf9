import { expect, test } from '@jest/globals';
import { planWarnings } from './plan-warnings.ts';

const hide = (output: Uint8Array) => Buffer.from(Buffer.from(output).toString().replaceAll('hunter22', '***'));

test('checks that failed come first, and the words of Terraform for them are left out', () => {
  const printed = ['Deprecated: use b', 'Check block assertion failed (main.tf line 9): no', 'Deprecated: use b'];

  expect(planWarnings({ checks: ['check.sane failed: no'], printed })).toEqual({
    texts: ['check.sane failed: no', 'Deprecated: use b'],
  });
});

test('where a Terraform has no checks in its plan, its words are all that there is', () => {
  const printed = ['Check block assertion failed (main.tf line 9): no'];

  expect(planWarnings({ checks: [], printed })).toEqual({ texts: printed });
});

test('a plan without warnings has none', () => {
  expect(planWarnings({ checks: [], printed: [] })).toBeUndefined();
});

test('secrets are hidden before anything is cut, and before equal ones are left out', () => {
  const printed = [`${'x'.repeat(495)}hunter22`, 'it is hunter22', 'it is ***'];

  expect(planWarnings({ checks: ['check.a failed: hunter22'], printed }, hide)).toEqual({
    texts: ['check.a failed: ***', `${'x'.repeat(495)}***`, 'it is ***'],
  });
});

test('a secret with white space is hidden, which one line has otherwise', () => {
  const hideSpaced = (output: Uint8Array) =>
    Buffer.from(Buffer.from(output).toString().replaceAll('pass  word', '***'));

  expect(planWarnings({ checks: ['it is pass  word'], printed: [] }, hideSpaced)).toEqual({ texts: ['it is ***'] });
});

test('there are at most ten, of one line and of 500 characters', () => {
  const printed = Array.from({ length: 13 }, (_none, n) => `${n}\n\u001b\u202e${'y'.repeat(600)}`);

  const { texts = [], omitted } = planWarnings({ checks: [], printed }) ?? {};

  expect(omitted).toBe(3);
  expect(texts.map(({ length }) => length)).toEqual(Array.from({ length: 10 }, () => 500));
  expect(texts[0]).toMatch(/^0 y+…$/);
});
