import { afterEach, expect, test } from '@jest/globals';
import { CONFIG_CHECK_RUN_NAME } from '@nereid/domain/deployment';
import { intakeStageOfThisFile } from '../testing/intake-stage.ts';
import { BACKEND } from '../testing/staged-repository.ts';

const ROOTS = { 'network/main.tf': BACKEND, 'database/main.tf': BACKEND, 'README.md': '' };
const ENTRY = 'version: 1\nroots:\n  - dir: network\n';
const DELIVERY = { delivery: '72d3162e-cc78-11e3-81ab-4c9367dc0958' };

const stage = intakeStageOfThisFile();

afterEach(() => {
  stage.standIn.faults.clear();
});

/** Nothing was asked of GitHub that it would not understand. */
afterEach(() => stage.standIn.assertNoRefusedRequests());

test('each root that a push modifies gets the revision once, however often it is tried', async () => {
  const infra = await stage.repository({ ...ROOTS, 'idle/main.tf': BACKEND });
  const before = await infra.head();
  await infra.commit({ 'network/main.tf': `${BACKEND}# wider` });
  const after = await infra.commit({ 'database/main.tf': `${BACKEND}# larger` });

  await stage.deliver(infra.pushes(before, after), DELIVERY);
  const result = await stage.deliver(infra.pushes(before, after), { ...DELIVERY, attempt: 2 });

  expect(result).toMatchObject({ kind: 'signalled', sentence: '2 of 3 roots are modified' });
  expect(result.workflows.toSorted()).toEqual([infra.lane('database').id, infra.lane('network').id]);
  for (const rootName of ['network', 'database']) {
    expect(await infra.lane(rootName).deployments()).toMatchObject([
      {
        requestId: `${DELIVERY.delivery}:${rootName}`,
        root: { name: rootName },
        revision: { sha: after, branch: 'main', position: 3, title: 'A change', author: 'wim' },
        trigger: 'merge',
        rerun: false,
        force: false,
        requestedBy: 'wim',
      },
    ]);
  }
  expect(await infra.lane('idle').view()).toBeUndefined();
});

test.each([
  ['a file that Terraform reads', { 'network/policies/iam.json': '{}' }],
  ['a script that a module names', { 'scripts/boot.sh': '' }],
  ["the root's entry in the file of the repository", { 'nereid.yaml': `${ENTRY}    var_files: [b.tfvars]\n` }],
])('a push of nothing but %s deploys the root', async (_what, files) => {
  const module = 'locals {\n  boot = "${path.module}/../scripts/boot.sh"\n}\n';
  const main = `${BACKEND}module "boot" {\n  source = "../boot"\n}\n`;
  const infra = await stage.repository({ 'nereid.yaml': ENTRY, 'network/main.tf': main, 'boot/main.tf': module });
  const before = await infra.head();
  const after = await infra.commit(files);

  const result = await stage.deliver(infra.pushes(before, after));

  expect(result).toMatchObject({ kind: 'signalled', workflows: [infra.lane('network').id] });
});

test('a push that modifies no root is told to nobody', async () => {
  const infra = await stage.repository(ROOTS);
  const before = await infra.head();
  const after = await infra.commit({ 'README.md': 'more' });

  const result = await stage.deliver(infra.pushes(before, after));

  expect(result).toEqual({ kind: 'nothing', sentence: 'no root of 2 is modified', workflows: [] });
  expect(infra.checkRuns()).toEqual([]);
});

test('a push of a file that is an input of no root names the roots that may read it all the same', async () => {
  const script = 'data "external" "x" {\n  program = ["make"]\n}\n';
  const infra = await stage.repository({ ...ROOTS, 'network/run.tf': script });
  const before = await infra.head();
  const after = await infra.commit({ 'lib/h.py': '' });

  const result = await stage.deliver(infra.pushes(before, after));

  expect(result).toMatchObject({
    kind: 'nothing',
    sentence: expect.stringMatching(
      /^no root of 2 is modified; "lib\/h\.py" is an input of no root, .*: network \(network\/run\.tf /,
    ),
  });
});

test('a root that a push deletes is named: what it manages is still there', async () => {
  const infra = await stage.repository(ROOTS);
  const before = await infra.head();
  const after = await infra.commit({ 'network/main.tf': null });

  const result = await stage.deliver(infra.pushes(before, after));

  expect(result).toMatchObject({ kind: 'nothing', sentence: expect.stringContaining('still there: network') });
});

test('warnings about the configuration reach the check runs of the roots, in the order that intake signs', async () => {
  const infra = await stage.repository({ ...ROOTS, 'nereid.yaml': ENTRY });
  const before = await infra.head();
  const after = await infra.commit({ 'network/main.tf': `${BACKEND}# wider`, 'nereid.yml': ENTRY });

  await stage.deliver(infra.pushes(before, after));

  expect(await infra.lane('network').deployments()).toMatchObject([
    {
      configWarnings: [
        'expected nereid.yaml, found nereid.yml, which is not read; move what it says to nereid.yaml, and delete it',
      ],
    },
  ]);
});

test('every problem of a broken configuration is on one failed check run, however often it is tried', async () => {
  const infra = await stage.repository(ROOTS);
  const before = await infra.head();
  const after = await infra.commit({
    'nereid.yaml': 'version: 1\nroots:\n  - { dir: network, plan_review: never }\n  - { dir: 7 }\n',
  });

  await stage.deliver(infra.pushes(before, after), DELIVERY);
  const result = await stage.deliver(infra.pushes(before, after), { ...DELIVERY, attempt: 2 });

  expect(result).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('nereid.yaml has 2 problem(s)') });
  const [checkRun, ...others] = infra.checkRuns();
  expect(others).toEqual([]);
  expect(checkRun).toMatchObject({ name: CONFIG_CHECK_RUN_NAME, headSha: after, conclusion: 'failure' });
  expect(checkRun?.output.summary).toMatch(/yaml:3 roots\[0\]\.plan_review .*\nnereid\.yaml:4 roots\[1\]\.dir /);
});

test('the push that mends a broken configuration brings what was pushed meanwhile, whatever came first', async () => {
  const infra = await stage.repository(ROOTS);
  const start = await infra.head();
  const first = await infra.commit({ 'nereid.yaml': 'version: 7\n', 'network/main.tf': `${BACKEND}# wider` });
  const second = await infra.commit({ 'database/main.tf': `${BACKEND}# larger` });
  await stage.deliver(infra.pushes(first, second));
  await stage.deliver(infra.pushes(start, first));
  const mended = await infra.commit({ 'nereid.yaml': null });

  const result = await stage.deliver(infra.pushes(second, mended));

  expect(result).toMatchObject({ kind: 'signalled', sentence: '2 of 2 roots are modified' });
  for (const rootName of ['network', 'database']) {
    expect(await infra.lane(rootName).deployments()).toMatchObject([{ trigger: 'merge', revision: { sha: mended } }]);
  }
  const after = await infra.commit({ 'README.md': 'more' });
  expect(await stage.deliver(infra.pushes(mended, after))).toMatchObject({ sentence: 'no root of 2 is modified' });
});

test('what mends a broken configuration may be taken before what broke it', async () => {
  const infra = await stage.repository(ROOTS);
  const start = await infra.head();
  const broken = await infra.commit({ 'nereid.yaml': 'version: 7\n', 'network/main.tf': `${BACKEND}# wider` });
  const mended = await infra.commit({ 'nereid.yaml': null, 'database/main.tf': `${BACKEND}# larger` });
  await stage.deliver(infra.pushes(broken, mended));

  await stage.deliver(infra.pushes(start, broken));

  for (const rootName of ['network', 'database']) {
    expect(await infra.lane(rootName).deployments()).toMatchObject([{ trigger: 'merge', revision: { sha: mended } }]);
  }
});

test('a broken push is kept, although GitHub does not take its check run', async () => {
  const infra = await stage.repository(ROOTS);
  const start = await infra.head();
  const broken = await infra.commit({ 'nereid.yaml': 'version: 7\n', 'network/main.tf': `${BACKEND}# wider` });
  stage.standIn.faults.add({ kind: 'failure', status: 502, route: /^POST .*check-runs$/ });

  await expect(stage.deliver(infra.pushes(start, broken))).rejects.toMatchObject({ type: 'FORGE_UNAVAILABLE' });
  const mended = await infra.commit({ 'nereid.yaml': null });
  const result = await stage.deliver(infra.pushes(broken, mended));

  expect(result).toMatchObject({ workflows: [infra.lane('network').id] });
});

test('a repository that begins with a broken configuration is deployed once it is mended', async () => {
  const infra = await stage.repository({ ...ROOTS, 'nereid.yaml': 'version: 7\n' });
  const first = await infra.head();
  await stage.deliver(infra.pushes('0'.repeat(40), first));
  const mended = await infra.commit({ 'nereid.yaml': null });

  const result = await stage.deliver(infra.pushes(first, mended));

  expect(result.workflows.toSorted()).toEqual([infra.lane('database').id, infra.lane('network').id]);
});

test('what came after a mended push stays to be brought', async () => {
  const infra = await stage.repository(ROOTS);
  const start = await infra.head();
  const broken = await infra.commit({ 'nereid.yaml': 'version: 7\n' });
  const mended = await infra.commit({ 'nereid.yaml': null });
  const again = await infra.commit({ 'nereid.yaml': 'version: 7\n', 'network/main.tf': `${BACKEND}# wider` });
  await stage.deliver(infra.pushes(start, broken));
  await stage.deliver(infra.pushes(mended, again));
  await stage.deliver(infra.pushes(broken, mended));
  const last = await infra.commit({ 'nereid.yaml': null });

  const result = await stage.deliver(infra.pushes(again, last));

  expect(result).toMatchObject({ workflows: [infra.lane('network').id] });
});

test('a commit that is not on the branch is not deployed, whatever the gateway says', async () => {
  const infra = await stage.repository(ROOTS);
  const before = await infra.head();
  const after = await infra.commit({ 'network/main.tf': `${BACKEND}# evil` }, 'feature');

  const results = [
    await stage.deliver(infra.pushes(before, after)),
    await stage.deliver({ ...infra.pushes(before, after), branch: 'feature' }),
  ];

  expect(results.map(({ kind, sentence }) => [kind, sentence])).toEqual([
    ['nothing', `${after} is no longer on main, or never was`],
    ['nothing', 'only main is deployed'],
  ]);
  expect(await infra.lane('network').view()).toBeUndefined();
});

test('what a forced push took away is not brought', async () => {
  const infra = await stage.repository(ROOTS);
  const start = await infra.head();
  const broken = await infra.commit({ 'nereid.yaml': 'version: 7\n', 'network/main.tf': `${BACKEND}# wider` });
  await stage.deliver(infra.pushes(start, broken));
  await stage.standIn.forcePush({ repository: infra.fullName, branch: 'main', to: start, by: 'ada' });
  const after = await infra.commit({ 'database/main.tf': `${BACKEND}# larger` });

  const result = await stage.deliver(infra.pushes(broken, after));

  expect(result).toMatchObject({ workflows: [infra.lane('database').id] });
});

test('a repository that the server does not allow is left alone', async () => {
  const infra = await stage.repository(ROOTS, 'evil');
  const before = await infra.head();
  const after = await infra.commit({ 'network/main.tf': '' });

  const result = await stage.deliver(infra.pushes(before, after));

  expect(result).toMatchObject({ kind: 'nothing', sentence: expect.stringContaining('not allowed') });
  expect(await infra.lane('network').view()).toBeUndefined();
});

test('a revision that is gone is nothing to deploy: what took it away has an event of its own', async () => {
  const infra = await stage.repository(ROOTS);

  const result = await stage.deliver(infra.pushes(await infra.head(), 'f'.repeat(40)));

  expect(result).toMatchObject({ kind: 'nothing', sentence: expect.stringContaining('push the commit again') });
});
