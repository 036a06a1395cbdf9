/** The root that steals, and one with a secret of its own that is being applied meanwhile. */
import type { NewRepository } from '@nereid/github-stand-in';
import type { StackOptions } from '../stack/stack-options.ts';

export const VAULT = 'acme/vault';
export const THIEF = 'acme/thief';

type Files = NewRepository['files'];

/** The folder that the server's file gives to all roots is `state`. */
export function settingsOfRoots(state: string): Pick<Required<StackOptions>, 'repositories' | 'workflows'> {
  const init = (root: string) => ({ init: { extra_args: [`-backend-config=path=${state}/${root}.tfstate`] } });
  const password = { env: { name: 'TF_VAR_password', run: 'cat password' } };
  return {
    repositories: [
      { match: VAULT, workflow: 'vault', plan_review: 'auto' },
      {
        match: THIEF,
        plan_review: 'required',
        roots: { thief: { workflow: 'thief' }, braggart: { workflow: 'braggart' } },
      },
    ],
    workflows: {
      vault: { plan: [init('vault'), password, 'plan'], apply: ['apply'] },
      thief: { plan: [init('thief'), { run: 'python3 steal.py' }, 'plan'], apply: ['apply'] },
      // Its failure quotes what it printed last.
      braggart: { plan: [{ run: 'cd ../thief && python3 steal.py >&2; exit 1' }, 'plan'], apply: ['apply'] },
    },
  };
}

/** Its apply goes on until `vault-may-end` is in the folder `state`, or the folder is gone. */
export function vaultFiles(password: string, state: string): Files {
  const wait = `until [ -e ${state}/vault-may-end ] || [ ! -e ${state} ]; do sleep 0.1; done`;
  return {
    'vault/password': password,
    'vault/main.tf': `
terraform {
  backend "local" {}
}
variable "password" {
  type      = string
  sensitive = true
}
resource "terraform_data" "vault" {
  input = var.password
  provisioner "local-exec" { command = "touch ${state}/vault-began; ${wait}" }
}
`,
  };
}

/** It steals by a step of its plan, by expressions of Terraform, whose values are in the plan, and by a provisioner of its apply. */
export function thiefFiles(program: string, top: string, pids: readonly string[]): Files {
  return {
    'thief/steal.py': program,
    'thief/key': { symlink: `${top}/secrets/link-key` },
    'thief/main.tf': `
terraform {
  backend "local" {}
}
locals {
  others = [for pid in ${JSON.stringify(pids)} : try(filebase64("/proc/\${pid}/environ"), "")]
}
output "key" { value = try(file("${top}/secrets/gateway-key.pem"), "nothing") }
output "environments" { value = local.others }
resource "terraform_data" "thief" {
  provisioner "local-exec" { command = "python3 steal.py" }
}
`,
  };
}

export const BRAGGART_FILES: Files = { 'braggart/main.tf': 'terraform {\n  backend "local" {}\n}\n' };
