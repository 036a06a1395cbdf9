import { expect, test } from '@jest/globals';
import { knownValues } from './known-values.ts';

test('values of answers are known by the names of the parameters that take them', () => {
  const lane = { repository: 'acme/infra', rootName: 'network', deployed: { sha: 'abc', deploymentId: '1' } };

  const known = knownValues([{ items: [lane], next: 'place' }, { items: [{ person: 'alice', pullRequest: 12 }] }]);

  expect(Object.fromEntries(known)).toEqual({
    repository: ['acme/infra'],
    owner: ['acme'],
    name: ['infra'],
    root: ['network'],
    lane: ['acme/infra/network'],
    sha: ['abc'],
    id: ['1'],
    cursor: ['place'],
    person: ['alice'],
    number: [12],
  });
});

test('each value is known once, and no more than anybody needs', () => {
  const items = Array.from({ length: 200 }, (_, index) => ({ sha: String(index % 120), person: 'alice' }));

  const known = knownValues([items]);

  expect(known.get('sha')).toHaveLength(50);
  expect(known.get('person')).toEqual(['alice']);
});
