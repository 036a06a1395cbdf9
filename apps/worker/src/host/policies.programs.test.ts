import { beforeAll, describe, expect, test } from '@jest/globals';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlanPolicy } from '@nereid/config';
import type { PlanOutcome } from '@nereid/domain/deployment';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { CONFTEST } from '@nereid/terraform';
import { CONFTEST_OF_TESTS, findConftest } from '@nereid/test-kit';
import { folderOfThisFile } from '@nereid/test-kit/folders';
import { testSignatures } from '../testing/test-signatures.ts';
import { hostsOfEachTest } from './testing/test-hosts.ts';

const FILES = { 'main.tf': 'terraform {\n  backend "local" {}\n}\nresource "terraform_data" "one" {}\n' };
const FIXTURES = join(import.meta.dirname, 'fixtures/policies');

/** With a link: conftest is found in PATH, and nothing else beside it. */
const programs = folderOfThisFile();
const hosts = hostsOfEachTest();

beforeAll(async () => {
  const conftest = await findConftest(process.env, () => undefined);
  await symlink(conftest, join(programs, 'conftest'));
}, 25 * 60_000);

test('the conftest of these tests is the one that workers install', () => {
  expect(CONFTEST_OF_TESTS).toMatchObject(CONFTEST);
});

describe('a plan is judged by the policies for its root', () => {
  test.each([['in the old Rego, as in the docs of Atlantis', 'atlantis-v0']])(
    '%s: a denial comes with its message, and who may override it',
    async (_name, source) => {
      const planned = await plan([aPolicy(source)]);

      expect(resultsOf(planned)).toEqual([
        {
          name: source,
          enforce: 'required',
          verdict: 'denied',
          denials: ['1 resources of the type terraform_data cannot be created'],
          warnings: [],
          owners: 'a member of acme/security, or bob',
        },
      ]);
    },
  );

  test('in the new Rego, with and without its import', async () => {
    const planned = await plan([aPolicy('newer-v1'), aPolicy('counts', { enforce: 'advisory' })]);

    expect(resultsOf(planned)).toMatchObject([
      { name: 'newer-v1', verdict: 'passed', denials: [], warnings: [] },
      { name: 'counts', enforce: 'advisory', verdict: 'passed' },
    ]);
    expect(resultsOf(planned)[1]).not.toHaveProperty('owners');
  });

  test('and its host signs what they say', async () => {
    const job = await hosts.deploy(FILES);
    const planned = await hosts.openHost({ programs, policies: [aPolicy('counts')] }).plan(job);
    if (planned.kind !== 'planned') throw new Error(`expected a plan, found ${planned.kind}`);
    const about = { pool: DEFAULT_POOL, deploymentId: job.deploymentId, order: job.order.signature };
    const [result] = resultsOf(planned);
    if (result === undefined) throw new Error('expected a result, found none');
    const { body, signature } = planned.plan;
    const forged = { body: { ...body, policies: [{ ...result, verdict: 'denied' as const }] }, signature };

    await expect(testSignatures.open('result/plan', planned.plan, about)).resolves.toMatchObject({ body });
    await expect(testSignatures.open('result/plan', forged, about)).rejects.toThrow('plan');
  });

  test('and not by those for other directories, or other repositories', async () => {
    const others = [aPolicy('broken', { roots: ['prod/**'] }), aPolicy('loops', { repositories: ['other/*'] })];
    const planned = await plan(others);

    expect(planned).toMatchObject({ kind: 'planned' });
    expect(planned).not.toHaveProperty('plan.body.policies');
  });

  test('in the log of the job', async () => {
    const job = await hosts.deploy(FILES);
    await hosts.openHost({ programs, policies: [aPolicy('atlantis-v0')] }).plan(job);

    const log = await hosts.readLog(job);
    expect(log).toContain('Policy atlantis-v0, by conftest:');
    expect(log).toContain('cannot be created');
    expect(log).toContain('Policy atlantis-v0: denied');
  });

  test('on previews, too', async () => {
    const job = await hosts.preview({ base: {}, head: FILES });
    const planned = await hosts.openHost({ programs, policies: [aPolicy('atlantis-v0')] }).plan(job);

    expect(resultsOf(planned)).toMatchObject([{ verdict: 'denied' }]);
  });

  test('without a sandbox, where the server has none', async () => {
    const planned = await plan([aPolicy('atlantis-v0')], { sandbox: 'none' });

    expect(resultsOf(planned)).toMatchObject([{ verdict: 'denied' }]);
  });
});

describe('a policy that cannot be evaluated denies, with the reason', () => {
  test.each([
    ['broken', /rego_parse_error/],
    ['silent', /no rule called deny, violation or warn was found/],
    ['nowhere', /there is no folder .*nowhere/],
  ])('a policy from a source that is %s denies, and says why', async (source, reason) => {
    const planned = await plan([aPolicy(source)]);

    expect(resultsOf(planned)).toMatchObject([{ verdict: 'error', denials: [expect.stringMatching(reason)] }]);
  });

  test('because conftest is missing', async () => {
    const job = await hosts.deploy(FILES);
    const planned = await hosts.openHost({ policies: [aPolicy('counts')] }).plan(job);

    expect(resultsOf(planned)).toMatchObject([
      { verdict: 'error', denials: [expect.stringContaining('expected conftest in PATH or in the cache, found none')] },
    ]);
  });
});

test('thousands of long messages are shortened, and the rest is counted', async () => {
  const planned = await plan([aPolicy('loud'), aPolicy('atlantis-v0')]);

  const [loud, other] = resultsOf(planned);
  expect(loud?.verdict).toBe('denied');
  expect(loud?.denials.length).toBeLessThanOrEqual(50);
  expect((loud?.denials.length ?? 0) + (loud?.omitted ?? 0)).toBe(1_000);
  expect(JSON.stringify([loud, other]).length).toBeLessThan(16 * 1024);
});

async function plan(
  policies: readonly PlanPolicy[],
  options: { readonly sandbox?: 'none' } = {},
): Promise<PlanOutcome> {
  const job = await hosts.deploy(FILES);
  return hosts.openHost({ programs, policies, ...options }).plan(job);
}

function resultsOf(planned: PlanOutcome) {
  if (planned.kind !== 'planned') throw new Error(`expected a plan, found ${JSON.stringify(planned)}`);
  return planned.plan.body.policies ?? [];
}

function aPolicy(fixture: string, changes: Partial<PlanPolicy> = {}): PlanPolicy {
  return {
    name: fixture,
    source: join(FIXTURES, fixture),
    enforce: 'required',
    owners: { teams: ['acme/security'], users: ['bob'] },
    repositories: [],
    roots: [],
    namespaces: ['main'],
    ...changes,
  };
}
