import { describe, expect, test } from '@jest/globals';
import { resolveRoot } from '../../repository/resolve-root.ts';
import { policyWith } from '../repository-policy/policy.fixture.ts';
import { settingsFor } from '../repository-policy/settings-for.ts';
import { readServerConfig } from '../read-server-config.ts';

const STORAGE = 'storage: { deployments: "file:/data", plans: "file:/data", logs: "file:/data" }';
const DNS = 'auto_when: { only_types: ["aws_route53_*"], max_changes: 20 }';

/** Where the rules stand that confirm plans of a root in this directory. */
function rulesOf(repositories: string, dirs: readonly string[] = ['dns/www']): readonly string[] {
  const { autoWhen = [] } = settingsFor(policyWith(`repositories: ${repositories}`), { name: 'dns', dirs });
  return autoWhen.map(({ of }) => of);
}

describe('plans that need nobody', () => {
  test('are as the rule says, and destroy, replace and forget nothing unless it says otherwise', () => {
    const policy = policyWith(`repositories: [{ match: acme/*, roots: { "dns/**": { ${DNS} } } }]`);
    const { autoWhen } = settingsFor(policy, { name: 'dns', dirs: ['dns/www'] });

    expect(autoWhen).toEqual([
      {
        of: 'dns/**',
        no: ['destroy', 'replace', 'forget'],
        onlyTypes: ['aws_route53_*'],
        maxChanges: 20,
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
  });

  test('have a digest of all that the rule says', () => {
    const digestOf = (rule: string) => {
      const policy = policyWith(`repositories: [{ match: acme/*, auto_when: ${rule} }]`);
      return settingsFor(policy, { name: 'dns', dirs: ['dns'] }).autoWhen?.[0]?.digest;
    };

    expect(digestOf('{ max_changes: 1 }')).toBe(digestOf('{ max_changes: 1 }'));
    expect(digestOf('{ max_changes: 1 }')).not.toBe(digestOf('{ max_changes: 2 }'));
  });

  test.each([
    ['its only rule', `[{ match: acme/*, plan_review: required, roots: { "dns/**": { ${DNS} } } }]`, ['dns/**']],
    ['its repository', `[{ match: acme/*, ${DNS} }]`, ['acme/*']],
    [
      'a later entry, where the first says nothing of it',
      `[{ match: acme/infra, queue: newest }, { match: acme/*, ${DNS} }]`,
      ['acme/*'],
    ],
    [
      'all rules that match',
      `[{ match: acme/*, roots: { "**": { ${DNS} }, "dns/**": { auto_when: {} } } }]`,
      ['**', 'dns/**'],
    ],
    [
      'a rule below an entry that grants it',
      `[{ match: acme/infra, ${DNS} }, { match: acme/*, roots: { "dns/**": { ${DNS} } } }]`,
      ['dns/**', 'acme/infra'],
    ],
  ])('are granted by %s', (_by, repositories, rules) => {
    expect(rulesOf(repositories)).toEqual(rules);
  });

  test.each([
    ['nobody says so', '[{ match: acme/* }]'],
    [
      'another rule that matches does not',
      `[{ match: acme/*, roots: { "**": { queue: newest }, "dns/**": { ${DNS} } } }]`,
    ],
    [
      'a rule of another entry does not',
      `[{ match: acme/*, roots: { "dns/**": { ${DNS} } } }, { match: "*/*", roots: { "**": { plan_review: required } } }]`,
    ],
    ['the first entry asks for a review', `[{ match: acme/infra, plan_review: required }, { match: acme/*, ${DNS} }]`],
    [
      'the first entry says who has to confirm',
      `[{ match: acme/infra, review: { count: 2 } }, { match: acme/*, ${DNS} }]`,
    ],
    [
      'the first entry says who may confirm',
      `[{ match: acme/infra, permissions: { confirm: { users: [ada] } } }, { match: acme/*, ${DNS} }]`,
    ],
    [
      'an entry above the rule asks for a review',
      `[{ match: acme/infra, plan_review: required }, { match: acme/*, roots: { "dns/**": { ${DNS} } } }]`,
    ],
    [
      'the repository does, and a rule that matches does not',
      `[{ match: acme/*, ${DNS}, roots: { dns: { queue: newest } } }]`,
    ],
  ])('are none where %s', (_why, repositories) => {
    expect(rulesOf(repositories)).toEqual([]);
  });

  test('are none for a root of which one of several directories is not granted', () => {
    const granted = `[{ match: acme/*, roots: { "dns/**": { ${DNS} } } }]`;

    expect(rulesOf(granted, ['dns/www', 'prod/www'])).toEqual([]);
    expect(rulesOf(granted, ['dns/www', 'dns/mail'])).toEqual(['dns/**']);
  });

  test('are none where a colleague has to look, unless each rule is for changes of anybody', () => {
    const colleague = 'permissions: { confirm: { not_author: true } }';
    const withAuthors = (authors: string) =>
      `[{ match: acme/*, roots: { "dns/**": { ${colleague}, auto_when: { max_changes: 2${authors} } } } }]`;

    expect(rulesOf(withAuthors(''))).toEqual([]);
    expect(rulesOf(withAuthors(', authors: any'))).toEqual(['dns/**']);
  });

  test('are none where the repository says itself who reviews its plans', () => {
    const policy = policyWith(`repositories: [{ match: acme/*, allowed_overrides: [plan_review], ${DNS} }]`);
    const root = { name: 'dns', dir: 'dns', workspace: 'default', enabled: true, varFiles: [] };

    expect(resolveRoot(policy, root).autoWhen).toMatchObject([{ of: 'acme/*' }]);
    expect(resolveRoot(policy, { ...root, planReview: 'required' })).not.toHaveProperty('autoWhen');
  });
});

describe('a rule that nobody could mean is refused', () => {
  test.each([
    ['{ no: [delete] }', '"destroy"'],
    ['{ only_types: [] }', 'at least one type'],
    ['{ only_types: ["aws_(a|b)"] }', 'a type of resources'],
    ['{ max_changes: 0 }', 'at least 1'],
    ['{ max_changes: 201 }', 'at most 200'],
    ['{ policies: [] }', 'at least one policy'],
    ['{ policies: [cost] }', 'expected a policy of this file, found "cost"'],
    ['{ authors: all }', '"any"'],
    ['{ types: [aws_route53_record] }', 'only_types'],
  ])('%s', (rule, expected) => {
    const read = readServerConfig(`repositories: [{ match: acme/*, auto_when: ${rule} }]\n${STORAGE}\n`);

    expect(read.kind === 'invalid' ? read.problems.map(({ message }) => message).join('\n') : '').toContain(expected);
  });
});
