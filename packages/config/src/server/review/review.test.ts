import { describe, expect, test } from '@jest/globals';
import { resolveRoot } from '../../repository/resolve-root.ts';
import { policyWith } from '../repository-policy/policy.fixture.ts';
import { settingsFor } from '../repository-policy/settings-for.ts';
import { readServerConfig } from '../read-server-config.ts';

const STORAGE = 'storage: { deployments: "file:/data", plans: "file:/data", logs: "file:/data" }';

/** As a root in this directory has it. */
function reviewOf(repositories: string, dirs: readonly string[] = ['prod/network']) {
  const policy = policyWith(`repositories: ${repositories}`);
  const { review, permissions } = settingsFor(policy, { name: 'network', dirs });
  return { review, confirm: permissions.confirm };
}

describe('who has to confirm a plan', () => {
  test('is one person where nobody says otherwise', () => {
    expect(reviewOf('[{ match: acme/* }]')).toEqual({});
    expect(reviewOf('[{ match: acme/*, review: { count: 1 } }]')).toEqual({});
  });

  test('is as many as the entry says, of its teams, within its time', () => {
    const review = '{ count: 3, each_of: [acme/sre, acme/dba], expires: 2d }';

    expect(reviewOf(`[{ match: acme/*, review: ${review} }]`)).toEqual({
      review: { count: 3, eachOf: ['acme/sre', 'acme/dba'], expiresMs: 172_800_000 },
    });
  });

  test('is one person of each team where no count is written', () => {
    const { review } = reviewOf('[{ match: acme/*, review: { each_of: [acme/sre, acme/dba] } }]');

    expect(review).toEqual({ count: 2, eachOf: ['acme/sre', 'acme/dba'] });
  });

  test('is a colleague of the author by permissions.confirm, which the keys of review leave as it is', () => {
    const confirm = 'permissions: { confirm: { teams: [acme/ops], not_author: true } }';

    expect(reviewOf(`[{ match: acme/*, ${confirm}, review: { count: 2 } }]`)).toEqual({
      review: { count: 2, eachOf: [] },
      confirm: [{ teams: ['acme/ops'], notAuthor: true }],
    });
  });
});

describe('of several rules that match a root, the strictest counts, key by key', () => {
  test('the highest count, the teams of all, and the shortest time', () => {
    const roots = `{
      "**": { review: { count: 2, each_of: [acme/sre], expires: 1d } },
      "prod/**": { review: { count: 3, each_of: [Acme/SRE, acme/dba], expires: 2d } } }`;

    expect(reviewOf(`[{ match: acme/*, roots: ${roots} }]`)).toEqual({
      review: { count: 3, eachOf: ['Acme/SRE', 'acme/dba'], expiresMs: 86_400_000 },
    });
  });

  test('a rule says more than its entry, and leaves the keys that it does not name', () => {
    const entry = 'match: acme/*, review: { count: 2, expires: 1d }';

    expect(reviewOf(`[{ ${entry}, roots: { "prod/**": { review: { count: 3 } } } }]`).review).toMatchObject({
      count: 3,
      expiresMs: 86_400_000,
    });
    expect(reviewOf(`[{ ${entry}, roots: { "prod/**": { review: { count: 1 } } } }]`).review).toMatchObject({
      count: 1,
    });
  });

  test('no rule loosens an entry above its own', () => {
    const below = '{ match: "*/*", roots: { "**": { review: { count: 1 } } } }';

    expect(reviewOf(`[{ match: acme/*, review: { count: 2 } }, ${below}]`).review).toMatchObject({ count: 2 });
  });

  test('a root with several directories meets the demands of each', () => {
    const roots = '{ "a/**": { review: { count: 2 } }, "b/**": { review: { each_of: [acme/dba] } } }';

    expect(reviewOf(`[{ match: acme/*, roots: ${roots} }]`, ['a/x', 'b/x']).review).toEqual({
      count: 2,
      eachOf: ['acme/dba'],
    });
  });

  test('an order has them', () => {
    const policy = policyWith('repositories: [{ match: acme/*, review: { count: 2 } }]');
    const root = { name: 'network', dir: 'network', workspace: 'default', enabled: true, varFiles: [] };

    expect(resolveRoot(policy, root).review).toEqual({ count: 2, eachOf: [] });
    expect(resolveRoot(policyWith('repositories: [{ match: acme/* }]'), root)).not.toHaveProperty('review');
  });
});

describe('a review that nobody could give is refused, with what to do', () => {
  test.each([
    ['{ count: 0 }', 'at least 1', 'use plan_review: auto'],
    ['{ count: 11 }', 'at most 10', ''],
    ['{ count: 1.5 }', 'a whole number', ''],
    ['{ each_of: [] }', 'at least one team', ''],
    ['{ each_of: [sre] }', 'a team as "organisation/slug"', ''],
    ['{ each_of: ["@acme/sre"] }', 'a team as "organisation/slug"', ''],
    ['{ each_of: [acme/sre, Acme/sre] }', 'each team once', 'remove it'],
    ['{ count: 1, each_of: [acme/sre, acme/dba] }', 'at least 2, one person for each team', 'leave count out'],
    ['{ expires: 8d }', 'a duration from 5m to 7d', 'write it like 12h or 2d'],
    ['{ expires: 1m }', 'a duration from 5m to 7d', ''],
    ['{ expires: tomorrow }', 'a duration from 5m to 7d', ''],
    ['{ counts: 2 }', 'count', ''],
    ['{ not_author: true }', 'not_author', ''],
  ])('%s', (review, expected, remedy) => {
    const messages = problemsOf(`[{ match: acme/*, review: ${review} }]`);

    expect(messages).toContain(expected);
    expect(messages).toContain(remedy);
  });

  test('of more people than may confirm', () => {
    const entry = '{ match: acme/*, permissions: { confirm: { users: [bob] } }, review: { count: 2 } }';

    expect(problemsOf(`[${entry}]`)).toContain('expected at most 1 people to confirm a plan');
    expect(problemsOf(`[{ match: acme/*, roots: { "**": ${entry.replace('match: acme/*, ', '')} } }]`)).toContain(
      'name more users',
    );
  });
});

test('a review before the merge counts for one person, so config check warns where several are asked for', () => {
  const read = readServerConfig(
    `repositories: [{ match: acme/*, plan_review: before_merge, review: { count: 2 } }]\n${STORAGE}\n`,
  );

  expect(read).toMatchObject({ kind: 'ok', warnings: [{ message: expect.stringContaining('after the merge') }] });
});

function problemsOf(repositories: string): string {
  const read = readServerConfig(`repositories: ${repositories}\n${STORAGE}\n`);
  return read.kind === 'invalid' ? read.problems.map(({ message }) => message).join('\n') : '';
}
