import { describe, expect, test } from '@jest/globals';
import { approversOf, REVIEWS_LIMIT, type Review } from './approvals.ts';
import type { Person } from '../people/person.ts';

const HEAD = 'a'.repeat(40);
const PULL_REQUEST = { author: 'wim', headSha: HEAD };

describe('an approval stands', () => {
  test('of the head, by somebody else than the author; the newest first', () => {
    expect(approvers([approval('ada'), approval('max')])).toEqual(['max', 'ada']);
  });

  test('although its person commented since', () => {
    expect(approvers([approval('ada'), by('ada', 'COMMENTED')])).toEqual(['ada']);
  });

  test('that followed a request for changes, or an approval that was dismissed', () => {
    const reviews = [by('ada', 'CHANGES_REQUESTED'), by('ada', 'DISMISSED'), approval('ada')];

    expect(approvers(reviews)).toEqual(['ada']);
  });

  test('although somebody else requested changes: that is between them', () => {
    expect(approvers([approval('ada'), by('max', 'CHANGES_REQUESTED')])).toEqual(['ada']);
  });
});

describe('an approval does not count', () => {
  test.each<[string, readonly Review[]]>([
    ['of an older commit', [{ ...approval('ada'), sha: 'b'.repeat(40) }]],
    ['of a commit that is gone', [{ ...approval('ada'), sha: null }]],
    ['of the author, however the name is written', [approval('WIM')]],
    ['that was dismissed', [by('ada', 'DISMISSED')]],
    [
      'whose person requests changes since, however the name is written',
      [approval('ada'), by('Ada', 'CHANGES_REQUESTED')],
    ],
    ['before another one of the same person that was dismissed', [approval('ada'), by('ada', 'DISMISSED')]],
    [
      'of the head, when its person looked at an older commit since',
      [approval('ada'), { ...approval('ada'), sha: null }],
    ],
    ['that is not said yet', [by('ada', 'PENDING')]],
    ['that is only a comment', [by('ada', 'COMMENTED')]],
  ])('%s', (_which, reviews) => {
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
    const comments = Array.from({ length: REVIEWS_LIMIT - 1 }, () => by('max', 'COMMENTED'));

    expect(approvers(comments.slice(1).concat(approval('ada')))).toEqual(['ada']);
    expect(approvers([...comments, approval('ada')])).toEqual([]);
  });
});

const approvers = (reviews: readonly Review[], contributors: readonly Person[] = []) =>
  approversOf(PULL_REQUEST, reviews, contributors);

function approval(author: string): Review {
  return by(author, 'APPROVED');
}

function by(author: string, state: string): Review {
  return { author, state, sha: HEAD };
}
