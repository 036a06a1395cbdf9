import { describe, expect, test } from '@jest/globals';
import type { Person, Review } from '@nereid/forge';
import { approversOf } from './approvals.ts';

const HEAD = 'a'.repeat(40);
const PULL_REQUEST = { author: 'wim', headSha: HEAD };

describe('an approval stands', () => {
  test('of the head, by somebody else than the author; the newest first', () => {
    expect(approvers([approval('ada'), approval('max')])).toEqual(['max', 'ada']);
  });

  test('although its person commented since', () => {
    expect(approvers([approval('ada'), by('ada', 'other')])).toEqual(['ada']);
  });

  test('that followed a request for changes, or an approval that was dismissed', () => {
    const reviews = [by('ada', 'changes-requested'), by('ada', 'dismissed'), approval('ada')];

    expect(approvers(reviews)).toEqual(['ada']);
  });

  test('although somebody else requested changes: that is between them', () => {
    expect(approvers([approval('ada'), by('max', 'changes-requested')])).toEqual(['ada']);
  });
});

describe('an approval does not count', () => {
  test.each<[string, readonly Review[]]>([
    ['of an older commit', [{ ...approval('ada'), sha: 'b'.repeat(40) }]],
    ['of a commit that is gone', [{ ...approval('ada'), sha: null }]],
    ['of the author, however the name is written', [approval('WIM')]],
    ['that was dismissed', [by('ada', 'dismissed')]],
    [
      'whose person requests changes since, however the name is written',
      [approval('ada'), by('Ada', 'changes-requested')],
    ],
    ['before another one of the same person that was dismissed', [approval('ada'), by('ada', 'dismissed')]],
    [
      'of the head, when its person looked at an older commit since',
      [approval('ada'), { ...approval('ada'), sha: null }],
    ],
    ['that is not said yet', [by('ada', 'other')]],
    ['that is only a comment', [by('ada', 'other')]],
  ])('an approval %s does not count', (_which, reviews) => {
    expect(approvers(reviews)).toEqual([]);
  });

  test('of somebody whose commits the pull request has', () => {
    expect(approvers([approval('ada'), approval('max')], [{ login: 'Ada' }])).toEqual(['max']);
  });

  test('of somebody whose commits it has under an earlier login', () => {
    const reviews = [
      { ...approval('ada'), authorId: 7 },
      { ...approval('max'), authorId: 8 },
    ];

    expect(
      approvers(reviews, [
        { login: 'lovelace', id: 7 },
        { login: 'max', id: 9 },
      ]),
    ).toEqual(['max']);
  });

  test('where there are more reviews than are read: one that takes it back may be among them', () => {
    expect(approversOf(PULL_REQUEST, { reviews: [approval('ada')], isWhole: true }, [])).toEqual(['ada']);
    expect(approversOf(PULL_REQUEST, { reviews: [approval('ada')], isWhole: false }, [])).toEqual([]);
  });
});

const approvers = (reviews: readonly Review[], contributors: readonly Person[] = []) =>
  approversOf(PULL_REQUEST, { reviews, isWhole: true }, contributors);

function approval(author: string): Review {
  return by(author, 'approved');
}

function by(author: string, state: Review['state']): Review {
  return { author, state, sha: HEAD };
}
