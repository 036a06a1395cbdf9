/** The files of programs that run Terraform with more than its own files say: none of them runs here. */
import { nameOf } from '../paths.ts';

/** Whether Terragrunt runs the code of the file's directory. */
export function isUnitOfTerragrunt(path: string): boolean {
  return nameOf(path) === 'terragrunt.hcl';
}

/** The program that the file is for; undefined for all other files. */
export function wrapperOf(path: string): string | undefined {
  const name = nameOf(path);
  return WRAPPERS.find(([pattern]) => pattern.test(name))?.[1];
}

const WRAPPERS: readonly (readonly [name: RegExp, program: string])[] = [
  [/^terragrunt(?:\.stack|\.values)?\.hcl$/, 'Terragrunt'],
  [/\.tf(?:component|deploy|stack)\.hcl$/, 'Terraform Stacks'],
  [/^cdktf\.json$/, 'CDK for Terraform'],
  [/^atmos\.ya?ml$/, 'Atmos'],
];
