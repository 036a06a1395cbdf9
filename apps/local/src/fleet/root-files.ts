/** Roots of one resource and a module that they share. They need nothing but Terraform itself. */
import type { FileChanges } from '@nereid/github-stand-in';
import { SETTINGS } from '../sample/repository.ts';

/** The path of the module. */
export const BASELINE = 'modules/baseline/main.tf';

/** A repository of such roots. `more` stands inside of the resource of the root with that name. */
export function filesOf(
  readme: string,
  rootNames: readonly string[],
  more: Readonly<Record<string, string>> = {},
): FileChanges {
  const roots = rootNames.map((name) => [`${name}/main.tf`, rootFile(name, more[name])] as const);
  return { 'README.md': readme, [BASELINE]: baselineFile(30), ...Object.fromEntries(roots) };
}

export function baselineFile(keepLogsForDays: number): string {
  return `variable "name" {
  type = string
}

resource "terraform_data" "logs" {
  input = { name = var.name, days = ${keepLogsForDays} }
}

output "logs" {
  value = terraform_data.logs.id
}
`;
}

function rootFile(name: string, more = ''): string {
  return `${SETTINGS}
module "baseline" {
  source = "../modules/baseline"
  name   = "${name}"
}

resource "terraform_data" "${resourceName(name)}" {
  input = { logs = module.baseline.logs }
${more}}
`;
}

/** A provisioner that fails, and says why. */
export function failsWith(message: string): string {
  return `
  provisioner "local-exec" {
    command = "${commandThatFails(message)}"
  }
`;
}

export function commandThatFails(message: string): string {
  return `echo '${message}' >&2; exit 1`;
}

function resourceName(rootName: string): string {
  return rootName.replaceAll('-', '_');
}
