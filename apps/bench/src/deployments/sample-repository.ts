/** A repository of many small roots. Each keeps its state in its own file, outside the working tree. */
import { join } from 'node:path';

/** Not the demo's repository, which has its own policy. */
export const SAMPLE = { owner: 'acme', name: 'fleet' } as const;

export const SAMPLE_NAME = `${SAMPLE.owner}/${SAMPLE.name}`;

export type Files = Readonly<Record<string, string>>;

export function rootNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `root-${String(index + 1).padStart(2, '0')}`);
}

/** The files of the first commit: a directory for each root. */
export function rootFiles(names: readonly string[], stateFolder: string): Files {
  return Object.fromEntries(names.map((name) => [`${name}/main.tf`, mainOf(join(stateFolder, `${name}.tfstate`))]));
}

/** A change of one resource in each root. */
export function changeOf(names: readonly string[], round: number): Files {
  return Object.fromEntries(names.map((name) => [`${name}/round.tf`, resource('round', String(round))]));
}

function mainOf(state: string): string {
  return `terraform {
  backend "local" {
    path = "${state}"
  }
}

${resource('base', 'unchanged')}`;
}

function resource(name: string, input: string): string {
  return `resource "terraform_data" "${name}" {
  input = "${input}"
}
`;
}
