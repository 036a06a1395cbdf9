/** Whatever a plan saw, its apply sees, on whichever host: files, variables, workspace, Terraform's own folder. */
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Root } from '@nereid/domain/root';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { withOrder, type TestJob } from '../testing/test-signatures.ts';
import { hostsOfEachTest } from './testing/test-hosts.ts';
import { applyOf } from './testing/test-jobs.ts';

interface World {
  /** Files of the repository beside `main.tf`. */
  readonly files?: Readonly<Record<string, string>>;
  /** Runs before the plan, and nowhere else. */
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly planArgs?: readonly string[];
  readonly root?: Partial<Root>;
  /** More of `main.tf`. */
  readonly code?: string;
  /** What the apply checks, as a command of the shell; it has the ephemeral variable `token` as TOKEN. */
  readonly check: string;
}

const BACKEND = 'terraform {\n  backend "local" {}\n}\n';
const EPHEMERAL = 'variable "token" {\n  type      = string\n  ephemeral = true\n  default   = "none"\n}\n';

const WORLDS: Readonly<Record<string, World>> = {
  'a file that planning wrote': { run: 'mkdir build && echo zip > build/fn.zip', check: 'grep zip build/fn.zip' },
  "a file that planning wrote in Terraform's folder": {
    run: 'mkdir -p .terraform/archive_files && echo zip > .terraform/archive_files/fn.zip',
    check: 'grep zip .terraform/archive_files/fn.zip',
  },
  'a file that planning wrote into a downloaded module': {
    code: 'module "fn" { source = "STATE/module.tar.gz" }\n',
    run: 'echo zip > .terraform/modules/fn/fn.zip',
    check: 'grep zip .terraform/modules/fn/fn.zip && grep "output" .terraform/modules/fn/main.tf',
  },
  'a file of the repository that planning changed': {
    files: { 'deploy.sh': 'exit 1\n' },
    run: "sed -i 's/1/0/' deploy.sh",
    check: 'sh deploy.sh',
  },
  'a file of the repository that planning removed': {
    files: { 'old.txt': 'old\n' },
    run: 'rm old.txt && touch new.txt',
    check: 'test -e new.txt',
  },
  'a link that planning made': {
    run: 'echo a > a.txt && ln -s a.txt latest',
    check: 'test "$(readlink latest)" = a.txt',
  },
  "another name of Terraform's folder": {
    env: { TF_DATA_DIR: '.data[1]' },
    run: 'mkdir .data[1]/made && echo zip > .data[1]/made/fn.zip',
    check: 'grep zip .data[1]/made/fn.zip && test ! -e .terraform',
  },
  'a value of the environment': { env: { TF_VAR_token: 'secret' }, check: 'test "$TOKEN" = secret' },
  'an ephemeral variable in a file of the root': {
    files: { 'env/prod.tfvars': 'token = "secret"\n' },
    root: { varFiles: ['env/prod.tfvars'] },
    check: 'test "$TOKEN" = secret',
  },
  'an ephemeral variable in a file that planning wrote': {
    run: `echo 'token = "secret"' > made.tfvars`,
    root: { varFiles: ['made.tfvars'] },
    check: 'test "$TOKEN" = secret',
  },
  'an ephemeral variable that the server gives': {
    planArgs: ['-var', 'token=secret'],
    check: 'test "$TOKEN" = secret',
  },
  'an ephemeral variable in a file that Terraform finds': {
    files: { 'x.auto.tfvars': 'token = "secret"\n' },
    check: 'test "$TOKEN" = secret',
  },
  'a workspace that its plan made beside others': {
    files: { 'main.tf': 'terraform {\n  backend "local" { workspace_dir = "STATE/envs" }\n}\n' },
    root: { workspace: 'prod' },
    check: 'test "$WORKSPACE" = prod',
  },
  'a variable in a file outside of the tree, which is gone': {
    run: `echo 'size = 2' > /tmp/made.tfvars`,
    planArgs: ['-var-file=/tmp/made.tfvars'],
    check: 'test "$SIZE" = 2',
  },
};

const hosts = hostsOfEachTest();
const folder = folderOfEachTest();

beforeEach(async () => {
  await mkdir(join(folder, 'module'));
  await writeFile(join(folder, 'module/main.tf'), 'output "a" { value = 1 }\n');
  await mkdir(join(hosts.stateDir, 'envs/old'), { recursive: true });
  execFileSync('tar', ['-czf', join(hosts.stateDir, 'module.tar.gz'), '-C', join(folder, 'module'), '.']);
});

function codeOf({ code = '', check }: World): string {
  return `${EPHEMERAL}variable "size" { default = 1 }
${code}resource "terraform_data" "check" {
  input = var.size
  provisioner "local-exec" {
    command     = ${JSON.stringify(check)}
    environment = { TOKEN = var.token, SIZE = var.size, WORKSPACE = terraform.workspace }
  }
}
`;
}

function filesOf(world: World): Readonly<Record<string, string>> {
  const files = Object.entries({ 'main.tf': BACKEND, 'world.tf': codeOf(world), ...world.files });
  return Object.fromEntries(files.map(([name, text]) => [name, text.replaceAll('STATE', hosts.stateDir)]));
}

/** The root with the steps of its world: what it runs comes after the init. */
function rootOf(root: Root, { run, env = {}, planArgs = [], root: changes }: World): Root {
  const variables = Object.entries(env).map(([name, value]) => ({ kind: 'env', name, value }) as const);
  const steps = root.steps.plan.flatMap((step) =>
    step.kind === 'plan'
      ? [...(run === undefined ? [] : [{ kind: 'run', run } as const]), { ...step, extraArgs: planArgs }]
      : [step],
  );
  return { ...root, ...changes, steps: { plan: [...variables, ...steps], apply: root.steps.apply } };
}

describe('on another host, an apply sees', () => {
  test.each(Object.keys(WORLDS))('an apply on another host sees %s', async (name) => {
    const world = WORLDS[name] ?? { check: 'false' };
    const deployed = await hosts.deploy(filesOf(world));
    const job = await withOrder({ ...deployed, root: rootOf(deployed.root, world) });
    const plan = await hosts.openHost().plan(job);
    const applying = applyOf(job, plan);

    await hosts.goTo('m2');
    const outcome = await hosts.openHost({ hostId: 'h2' }).apply(applying);

    expect([outcome, await saidBy(applying)]).toEqual([expect.objectContaining({ kind: 'applied' }), '']);
  });
});

test('an apply of what was confirmed before the merge, on another host, sees the files that planning wrote', async () => {
  const world: World = {
    run: 'mkdir -p build .terraform/archive_files && touch build/fn.zip .terraform/archive_files/fn.zip',
    check: 'test -e build/fn.zip && test -e .terraform/archive_files/fn.zip',
  };
  const head = { 'world.tf': codeOf(world) };
  const opened = await hosts.preview({ base: { 'main.tf': BACKEND }, head, isForMerge: true });
  const preview = await withOrder({ ...opened, root: rootOf(opened.root, world) });
  const { plan: planOn, host } = hosts.openHost();
  const plan = await planOn(preview);
  await host.settled();
  const job = await hosts.merge({ head, preview, plan });

  await hosts.goTo('m2');
  const outcome = await hosts.openHost({ hostId: 'h2' }).apply(applyOf(job, plan));

  expect(outcome).toMatchObject({ kind: 'applied', counts: { added: 1 } });
});

test('a plan in an empty workspace default, beside another one, says under its signature why a person reviews it', async () => {
  const main = `terraform {\n  backend "local" { workspace_dir = "${hosts.stateDir}/envs" }\n}\n`;
  const job = await hosts.deploy({ 'main.tf': main, 'a.tf': 'resource "terraform_data" "a" {}\n' });

  const planned = await hosts.openHost().plan(job);

  expect(planned).toMatchObject({ plan: { body: { doubt: expect.stringContaining('the backend also has "old": ') } } });
});

test('a preview of a workspace that is not there is planned against nothing, and makes and keeps nothing', async () => {
  const main = 'terraform {\n  backend "local" { workspace_dir = "STATE/envs" }\n}\n';
  const base = { 'main.tf': main.replace('STATE', hosts.stateDir) };
  const head = { 'a.tf': 'resource "terraform_data" "a" {}\n' };
  const opened = await hosts.preview({ base, head, isForMerge: true });
  const preview = await withOrder({ ...opened, root: { ...opened.root, workspace: 'new' } });
  const { plan, host } = hosts.openHost();

  const planned = await plan(preview);
  await host.settled();

  expect(planned).toMatchObject({ kind: 'planned', plan: { body: { newWorkspace: true, summary: { create: 1 } } } });
  expect(await hosts.keptPlans()).toEqual([]);
  expect(await readdir(join(hosts.stateDir, 'envs'))).toEqual(['old']);
});

test.each([
  ['without a backend', '', /^this root has no backend: its state would be lost/],
  [
    'with a state in its tree',
    'terraform {\n  backend "local" { path = "a" }\n}\n',
    /^the backend "local" .* in the working tree/,
  ],
])('a root %s is planned by no host', async (_which, main, summary) => {
  const files = { 'main.tf': `${main}resource "terraform_data" "a" {}\n` };
  const deployed = await hosts.deploy(files);
  const steps = { plan: [INIT, PLAN], apply: [] };
  const job = await withOrder({ ...deployed, root: { ...deployed.root, steps } });

  expect(await hosts.openHost().plan(job)).toMatchObject({
    kind: 'failed',
    failure: { body: { summary: expect.stringMatching(summary) } },
  });
  expect(await hosts.keptPlans()).toEqual([]);
});

const INIT = { kind: 'init', extraArgs: [] } as const;
const PLAN = { kind: 'plan', extraArgs: [] } as const;

/** The errors in the log of an apply. */
async function saidBy(job: TestJob): Promise<string> {
  const log = await hosts.readLog(job);
  return log.includes('Error') ? log : '';
}
