/** A repository of many small roots, each of which keeps its state in a file of its own outside of the working tree. */
import { join } from 'node:path';

/** Not the demo's, which has a policy of its own. */
export const SAMPLE = { owner: 'acme', name: 'fleet' } as const;

export const SAMPLE_NAME = `${SAMPLE.owner}/${SAMPLE.name}`;

export type Files = Readonly<Record<string, string>>;

export function rootNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `root-${String(index + 1).padStart(2, '0')}`);
}

/** The first commit: a root's directory each. */
export function rootFiles(names: readonly string[], stateFolder: string): Files {
  return Object.fromEntries(names.map((name) => [`${name}/main.tf`, mainOf(join(stateFolder, `${name}.tfstate`))]));
}

/** What changes one resource of each root. */
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
