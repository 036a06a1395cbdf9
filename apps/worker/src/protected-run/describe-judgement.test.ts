import { expect, test } from '@jest/globals';
import { RUN_COMMENT_LIMIT } from '@nereid/forge';
import { shaAt } from '@nereid/domain/testing';
import { checksNothing, judge, uncovered, type NamedRootAt } from './describe-judgement.ts';

const PAGE = 'https://nereid.example/deployments/4';
const APPLIED: NamedRootAt = { name: 'network', at: { kind: 'applied' } };
const UNCHANGED: NamedRootAt = { name: 'dns', at: { kind: 'unchanged' } };
const WAITING: NamedRootAt = { name: 'app', at: { kind: 'waiting', clause: 'which awaits its review' } };
const FAILED: NamedRootAt = {
  name: 'db',
  at: { kind: 'failed', deploymentId: '4', end: 'failed to apply' },
  page: PAGE,
};
const REJECTED: NamedRootAt = { name: 'cdn', at: { kind: 'rejected', deploymentId: '4', by: 'bob' }, page: PAGE };

test('a commit that changes none of the roots goes at once, and says why', () => {
  for (const roots of [[], [UNCHANGED]])
    expect(judge(shaAt(1), roots)).toMatchObject({
      state: 'approved',
      comment: 'Nothing to wait for: 0000000 leaves all roots of the rule as they are deployed.',
    });
});

test('a job goes once every root has its commit', () => {
  expect(judge(shaAt(1), [APPLIED, UNCHANGED])).toMatchObject({
    state: 'approved',
    comment: 'These roots have 0000000, which leaves all others of the rule as they are deployed.\n\n- `network`',
  });
});

test('a job that goes says which parts of its rules match no root', () => {
  expect(judge(shaAt(1), [APPLIED], ['ntwork', 'old/**']).comment).toBe(
    [
      'These roots have 0000000, which leaves all others of the rule as they are deployed.',
      '',
      '- no root matches `ntwork`',
      '- no root matches `old/**`',
      '- `network`',
    ].join('\n'),
  );
});

test('a rule that matches no root lets nothing go, however long it is', () => {
  const rule = (...roots: readonly string[]) => ({ environment: 'production', repositories: [], roots });

  expect(checksNothing(shaAt(1), rule('ntwork'))).toMatchObject({
    state: 'rejected',
    comment: [
      "An entry of protection_rules about the environment `production` checks nothing: 0000000 has no root that matches it. Correct the entry in the server's file, and run this again.",
      '',
      '- `ntwork`',
    ].join('\n'),
  });
  expect(checksNothing(shaAt(1), rule()).comment).toContain('0000000 has no root. Correct');
  const long = rule(...Array.from({ length: 100 }, (_each, index) => `${'x'.repeat(200)}${index}`));
  expect(Buffer.byteLength(checksNothing(shaAt(1), long).comment)).toBeLessThanOrEqual(RUN_COMMENT_LIMIT);
});

test('a job waits with a word on each root that lacks its commit, those that need somebody first', () => {
  expect(judge(shaAt(1), [APPLIED, WAITING, FAILED])).toMatchObject({
    state: 'waiting',
    comment: [
      'Waits until these roots have 0000000. Somebody has to run the failed ones again, or merge a fix.',
      '',
      `- \`db\` [failed to apply](${PAGE})`,
      '- `app`, which awaits its review',
    ].join('\n'),
  });
});

test('a rejected plan rejects the job, whatever others do', () => {
  expect(judge(shaAt(1), [WAITING, FAILED, REJECTED])).toMatchObject({
    state: 'rejected',
    comment: [
      '0000000 is not applied. Merge another change, and run this for that commit.',
      '',
      `- \`cdn\`: [rejected](${PAGE}) by @bob`,
    ].join('\n'),
  });
});

test('the step of a deployment is no news, a failure is', () => {
  const news = (...roots: readonly NamedRootAt[]) => judge(shaAt(1), roots).news;
  const applying: NamedRootAt = { name: 'app', at: { kind: 'waiting', clause: 'which is being applied' } };

  expect(news(WAITING)).toBe(news(applying));
  expect(news(WAITING)).not.toBe(news(WAITING, FAILED));
});

test('names of a repository are only text, and GitHub takes the comment, however many roots there are', () => {
  const hostile = Array.from({ length: 300 }, (_each, index) => ({ ...WAITING, name: `[x](y)@all\`${index}` }));
  const { comment } = judge(shaAt(1), hostile);

  expect(comment.length).toBeLessThanOrEqual(RUN_COMMENT_LIMIT);
  expect(comment).toContain('- ``[x](y)@all`0``, which');
  expect(comment.endsWith('More is not listed.')).toBe(true);
  expect(uncovered('](x)'.repeat(64)).comment.length).toBeLessThanOrEqual(RUN_COMMENT_LIMIT);
});
