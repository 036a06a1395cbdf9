/** A large repository: 2,000 roots of four files and 200 modules of ten make 10,000 files, with a history behind them. */
import type { TestFiles, TestRepository } from '@nereid/git/testing';

export const ROOTS = 2_000;
const MODULES = 200;

/** A blobless mirror has every tree of the history, so the length of the history matters. */
const COMMITS = 200;

/** Returns the head. */
export async function fillRepository(repository: TestRepository): Promise<string> {
  let head = await repository.commit({ files: { ...allRoots(), ...allModules() }, message: 'everything' });
  for (let commit = 1; commit < COMMITS; commit += 1) {
    head = await repository.commit({ files: changeOf(commit), message: `change ${commit}` });
  }
  return head;
}

/** A typical merge: three roots, and a module that ten roots use. */
export function changeOf(commit: number): TestFiles {
  const roots = [0, 1, 2].map((each) => (commit * 7 + each * 601) % ROOTS);
  const module = commit % MODULES;
  return {
    ...Object.fromEntries(roots.map((root) => [`${directoryOf(root)}/main.tf`, mainOf(root, commit)])),
    [`modules/m${module}/main.tf`]: moduleOf(module, commit),
  };
}

function allRoots(): TestFiles {
  return Object.fromEntries(
    range(ROOTS).flatMap((root) => [
      [`${directoryOf(root)}/main.tf`, mainOf(root, 0)],
      [`${directoryOf(root)}/variables.tf`, 'variable "region" {\n  type = string\n}\n'],
      [`${directoryOf(root)}/outputs.tf`, `output "root" {\n  value = "${root}"\n}\n`],
      [`${directoryOf(root)}/terraform.tfvars`, `region = "eu-${root % 3}"\n`],
    ]),
  );
}

function allModules(): TestFiles {
  return Object.fromEntries(
    range(MODULES).flatMap((module) =>
      range(10).map((file) => [
        `modules/m${module}/${file === 0 ? 'main' : `part${file}`}.tf`,
        file === 0
          ? moduleOf(module, 0)
          : `# part ${file} of module ${module}\nlocals {\n  part${file} = ${module}\n}\n`,
      ]),
    ),
  );
}

function directoryOf(root: number): string {
  return `teams/t${root % 50}/service${root}`;
}

function mainOf(root: number, version: number): string {
  return `terraform {
  backend "s3" {
    key = "${root}"
  }
}

module "shared" {
  source = "../../../modules/m${root % MODULES}"
  tags   = { version = "${version}", "braces" = "}" }
}
${'# what a configuration says besides, and nobody needs for discovery\n'.repeat(10)}`;
}

/** Every tenth module uses the next one, so that changes reach roots through two modules too. */
function moduleOf(module: number, version: number): string {
  const next = module % 10 === 0 ? `module "next" {\n  source = "../m${module + 1}"\n}\n` : '';
  return `# version ${version}\nresource "terraform_data" "this" {\n  input = "${module}"\n}\n${next}`;
}

function range(length: number): readonly number[] {
  return Array.from({ length }, (_, index) => index);
}
