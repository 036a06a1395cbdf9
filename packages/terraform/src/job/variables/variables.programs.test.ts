import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Root } from '@nereid/domain/root';
import { gte } from 'semver';
import { aJob, aRoot, realTerraform, testdir } from '../../../fixtures/fixture.ts';
import { applyRoot } from '../../apply/apply-root.ts';
import { planRoot } from '../../plan/plan-root.ts';
import type { StepName } from '../job-options.ts';
import { variableArguments } from './variables.ts';

const terraform = await realTerraform();

async function argumentsOf(step: StepName, terraformVersion: string, root: Partial<Root> = {}) {
  await using folder = await testdir({ 'prod.tfvars': '', 'more.tfvars': '' });
  const extraArgs = [
    '-parallelism=2',
    '-var',
    'a=b',
    '--var-file',
    'more.tfvars',
    '-var-file=gone.tfvars',
    '-var=c=d=e',
  ];
  const steps: Root['steps'] = { plan: [{ kind: 'plan', extraArgs }], apply: [] };
  const options = { root: aRoot({ varFiles: ['prod.tfvars'], steps, ...root }), terraformVersion };
  return await variableArguments(step, options, folder.path);
}

const ALL = ['-var-file=prod.tfvars', '-var=a=b', '-var-file=more.tfvars', '-var=c=d=e'];
const tofu = { distribution: 'tofu' } as const;

describe('the variables of a plan', () => {
  test.each([
    ['an apply of Terraform', 'apply', '1.10.2', {}],
    ['an apply of Terraform', 'apply', '2.0.0', {}],
    ['an apply of OpenTofu', 'apply', '1.11.0', tofu],
    ['an init of OpenTofu', 'init', '1.8.0', tofu],
    ['a list of a state, with OpenTofu', 'state list', '1.9.1', tofu],
    ['an unlock, with OpenTofu', 'force-unlock', '1.11.0', tofu],
  ] as const)('are given again to %s: %s, %s', async (_which, step, version, root) => {
    expect(await argumentsOf(step, version, root)).toEqual(ALL);
  });

  test.each([
    ['an apply of Terraform that refuses them', 'apply', '1.10.1', {}],
    ['an apply of Terraform that refuses them', 'apply', '1.5.7', {}],
    ['an apply of OpenTofu that refuses them', 'apply', '1.10.6', tofu],
    ['an init of Terraform', 'init', '1.11.4', {}],
    ['an init of OpenTofu that reads none', 'init', '1.7.3', tofu],
    ['a plan, which has them', 'plan', '1.11.4', {}],
  ] as const)('are not given to %s: %s, %s', async (_which, step, version, root) => {
    expect(await argumentsOf(step, version, root)).toEqual([]);
  });
});

const { terraform_version: version } = JSON.parse(
  execFileSync(terraform, ['version', '-json'], { encoding: 'utf8', env: {} }),
) as { terraform_version: string }; // Of Terraform.

// Older ones, which the other tests take, know no ephemeral values or refuse them at an apply.
(gte(version, '1.10.2') ? describe : describe.skip)('a variable of which a plan keeps no value', () => {
  test.each<[string, Partial<Root>, readonly string[]]>([
    ['a file of the root', { varFiles: ['prod.tfvars'] }, []],
    ['a file that the server names', {}, ['-var-file', 'prod.tfvars']],
    ['the server', {}, ['-var=token=secret']],
  ])('has it at the apply when %s gives it', async (_who, changes, extraArgs) => {
    await using folder = await testdir({
      'tree/main.tf': EPHEMERAL,
      'tree/prod.tfvars': 'token = "secret"\nsize = 2\n',
    });
    const init = { kind: 'init', extraArgs: [`-backend-config=path=${folder.path}/state`] } as const;
    const steps = {
      plan: [init, { kind: 'plan', extraArgs } as const],
      apply: [{ kind: 'apply', extraArgs: [] } as const],
    };
    const { options } = aJob(folder.path, terraform, { root: aRoot({ steps, ...changes }), terraformVersion: version });
    const planned = await planRoot(options);
    if (planned.kind !== 'planned') throw new Error(JSON.stringify(planned));

    const applied = await applyRoot({ ...options, ...planned, folder: path.join(folder.path, 'apply') });

    expect(applied).toMatchObject({ kind: 'applied', counts: { added: 1 } });
  });
});

const EPHEMERAL = `terraform {
  backend "local" {}
}
variable "token" {
  type      = string
  ephemeral = true
}
variable "size" {
  type    = number
  default = 1
}
resource "terraform_data" "a" {
  input = var.size
  provisioner "local-exec" {
    command     = "[ \\"$TOKEN\\" = secret ]"
    environment = { TOKEN = var.token }
  }
}
`;
