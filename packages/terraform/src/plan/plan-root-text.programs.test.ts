import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import type { PlanText } from '@nereid/domain/plan';
import { aJob, aRoot, realTerraform, stepsWithLocalState, testdir } from '../../fixtures/fixture.ts';
import { applyRoot } from '../apply/apply-root.ts';
import type { JobOptions } from '../job/job-options.ts';
import { planRoot } from './plan-root.ts';

const LOCAL = 'terraform {\n  backend "local" {}\n}\n';
const terraform = await realTerraform();

async function textOf(options: JobOptions): Promise<PlanText | undefined> {
  return (await planned(options)).texts?.text;
}

async function planned(options: JobOptions) {
  const result = await planRoot(options);
  if (result.kind !== 'planned') throw new Error(`expected a plan, found ${JSON.stringify(result)}`);
  return result;
}

/** A root of the folder, whose state outlives its jobs. */
const jobIn = (folder: string, job: string, changes: Partial<JobOptions> = {}) =>
  aJob(folder, terraform, {
    root: aRoot({ steps: stepsWithLocalState(folder) }),
    folder: path.join(folder, job),
    ...changes,
  }).options;

const headersIn = (text: PlanText | undefined) => text?.text.split('\n').filter((line) => /^ {1,2}# [^(]/.test(line));

const BEFORE = String.raw`${LOCAL}
resource "terraform_data" "changed" { input = "one\n- two\nthree\n" }
resource "terraform_data" "gone" { count = 2 }
resource "terraform_data" "replaced" { triggers_replace = "a" }
resource "terraform_data" "old" {}
`;

const AFTER = String.raw`${LOCAL}
variable "secret" {
  default   = "never shown to anybody"
  sensitive = true
}
resource "terraform_data" "a_new_one" { for_each = toset(["will be destroyed"]) }
resource "terraform_data" "big" { input = join("", [for i in range(1024) : join("", [for j in range(128) : "12345678"])]) }
resource "terraform_data" "changed" {
  input = "one\n- two\n${'```'}\n~~~\n</details>\n@everyone\n  # terraform_data.fake will be destroyed\n\u001b[31m\u202ethr\ree\n"
}
resource "terraform_data" "hushed" { input = var.secret }
resource "terraform_data" "replaced" { triggers_replace = "b" }
resource "terraform_data" "new" {}
moved {
  from = terraform_data.old
  to   = terraform_data.new
}
output "made" { value = "by this plan" }
`;

test('the text of a plan has its resources, what is destroyed or replaced first, and shows no sensitive value', async () => {
  await using folder = await testdir({ 'tree/main.tf': BEFORE });
  const before = await planned(jobIn(folder.path, 'before'));
  await applyRoot({ ...jobIn(folder.path, 'applied'), ...before });
  await writeFile(path.join(folder.path, 'tree/main.tf'), AFTER);

  const text = await textOf(jobIn(folder.path, 'after'));

  expect(headersIn(text)).toEqual([
    '  # terraform_data.gone[0] will be destroyed',
    '  # terraform_data.gone[1] will be destroyed',
    '  # terraform_data.replaced must be replaced',
    '  # terraform_data.changed will be updated in-place',
    '  # terraform_data.a_new_one["will be destroyed"] will be created',
    '  # terraform_data.big will be created',
    '  # terraform_data.hushed will be created',
    '  # terraform_data.old has moved to terraform_data.new',
  ]);
  expect(text).toMatchObject({ leftOut: 0, isShortened: true });
  expect(text?.text).toContain('+ input  = (sensitive value)');
  expect(text?.text).not.toContain('never shown');
  expect(text?.text).toContain(String.raw`+ \u{001b}[31m\u{202e}thr\ree`);
  expect(text?.text).toMatch(/\d… \(\d{7} more characters\)$/m);
  expect(text?.text).toContain('Changes to Outputs:\n  + made = "by this plan"');
  expect(await readdir(path.join(folder.path, 'after'))).not.toContain('plan.txt');
});

test('the text of a plan that changes outputs alone is these', async () => {
  await using folder = await testdir({ 'tree/main.tf': `${LOCAL}output "o" { value = "new" }` });

  const text = await textOf(jobIn(folder.path, 'job'));

  expect(text?.text).toContain('Changes to Outputs:\n  + o = "new"');
});

test('what is wrong with a root without failing its plan is told, with changes and without', async () => {
  const check =
    'check "sane" {\n  assert {\n    condition = terraform_data.a.input == 1\n    error_message = "the answer is not one"\n  }\n}';
  await using folder = await testdir({
    'tree/main.tf': `${LOCAL}resource "terraform_data" "a" { input = 2 }\n${check}\n`,
    'tree/x.auto.tfvars': 'replcias = 3',
  });
  const texts = [
    'check.sane failed: the answer is not one',
    expect.stringMatching(/^Value for undeclared variable: .* variable named "replcias" but a value was found in file/),
  ];

  const options = jobIn(folder.path, 'job');
  const first = await planned(options);
  await applyRoot({ ...options, folder: path.join(folder.path, 'apply'), digest: first.digest, envValues: {} });
  const second = await planned(jobIn(folder.path, 'again'));

  expect(first).toMatchObject({ hasChanges: true, warnings: { texts } });
  expect(second).toMatchObject({ hasChanges: false, warnings: { texts } });
});

test('secrets of the job are hidden in the text as they are in its log', async () => {
  await using folder = await testdir({
    'tree/main.tf': `${LOCAL}resource "terraform_data" "a" { input = "hunter22" }`,
  });
  const hide = (output: Uint8Array) => Buffer.from(Buffer.from(output).toString().replaceAll('hunter22', '***'));

  const text = await textOf(
    jobIn(folder.path, 'job', { hideInStream: () => ({ push: hide, rest: () => new Uint8Array() }) }),
  );

  expect(text?.text).toContain('+ input  = "***"');
});
