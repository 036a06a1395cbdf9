import { expect, test } from '@jest/globals';
import { rootsAwaited, waitsClause } from './waits-clause.ts';

const network = { rootName: 'network', clause: 'which itself waits for other roots' };
const database = { rootName: 'data.base-1', clause: 'whose lane is locked' };

test('the roots that a clause names are read back from it', () => {
  expect(rootsAwaited(waitsClause([network], 1))).toEqual(['network']);
  expect(rootsAwaited(waitsClause([network, database], 2))).toEqual(['network', 'data.base-1']);
});

test('roots that are only counted have no names', () => {
  const clause = waitsClause([network, database], 5);

  expect(clause).toMatch(/, and for 3 more$/);
  expect(rootsAwaited(clause)).toEqual(['network', 'data.base-1']);
});

test.each(['GitHub cannot be asked, and for now nothing starts', 'its record is read from storage', ''])(
  'another reason names none: %s',
  (reason) => {
    expect(rootsAwaited(reason)).toEqual([]);
  },
);
