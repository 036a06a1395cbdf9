/**
 * The sample repository: four roots, one of which uses a module. It needs nothing but Terraform itself: `terraform_data` is
 * built in, and the state is in a file whose path the server's policy gives to `init`.
 */
import type { GitHubStandIn } from '@nereid/github-stand-in';
import { PEOPLE } from './people.ts';

export const SAMPLE = { owner: 'acme', name: 'infra' } as const;

export const SAMPLE_NAME = `${SAMPLE.owner}/${SAMPLE.name}`;

/** Each is a directory at the top of the repository, so its name is also the root's name. */
export const ROOTS = ['network', 'database', 'service', 'dns'] as const;

export type RootName = (typeof ROOTS)[number];

/** Is not there at first: a change adds it, two people confirm it, and a freeze keeps it from being applied. */
export const FROZEN_ROOT = 'archive';

/** Are not there at first: a change adds them. One of them goes first, and the others wait for it. */
export const WAVE_ROOTS = ['edge-1', 'edge-2', 'edge-3'] as const;

/** Of the sample and of the changes to it. */
export type SampleRoot = RootName | typeof FROZEN_ROOT | (typeof WAVE_ROOTS)[number];

/** Creates the repository unless an earlier run did. Its first commit deploys nothing. */
export async function ensureSample(github: GitHubStandIn): Promise<'created' | 'found'> {
  if (await hasRepository(github, SAMPLE_NAME)) return 'found';
  await github.createRepository({ ...SAMPLE, files: FILES, collaborators: PEOPLE });
  return 'created';
}

export async function hasRepository(github: Pick<GitHubStandIn, 'headOf'>, fullName: string): Promise<boolean> {
  return github.headOf(fullName).then(
    () => true,
    () => false,
  );
}

/** The beginning of a root that needs nothing but Terraform itself. */
export const SETTINGS = `terraform {
  required_version = ">= 1.4"

  backend "local" {}
}
`;

const FILES = {
  'README.md': `# infra

Four roots, deployed by Nereid when a pull request is merged: \`network\`, \`database\`, \`service\`, which uses the module
\`modules/naming\`, and \`dns\`, whose merges are applied without a review.
`,
  'network/main.tf': `${SETTINGS}
resource "terraform_data" "vpc" {
  input = { cidr = "10.0.0.0/16" }
}
`,
  'network/subnets.tf': subnets(2),
  'database/main.tf': `${SETTINGS}
resource "terraform_data" "database" {
  input = { engine = "postgres", version = 17 }
}
`,
  'database/size.tf': size('small'),
  'service/main.tf': `${SETTINGS}
module "naming" {
  source = "../modules/naming"
  name   = "service"
}

resource "terraform_data" "service" {
  input = { name = module.naming.name, replicas = 2 }
}
`,
  'modules/naming/main.tf': naming('acme'),
  'dns/main.tf': `${SETTINGS}
resource "terraform_data" "zone" {
  input = { name = "acme.example" }
}
`,
} as const;

export function subnets(count: number): string {
  return `resource "terraform_data" "subnet" {
  count = ${count}
  input = { vpc = terraform_data.vpc.id, cidr = cidrsubnet("10.0.0.0/16", 8, count.index) }
}
`;
}

export function size(name: string): string {
  return `resource "terraform_data" "size" {
  input = { database = terraform_data.database.id, size = "${name}" }
}
`;
}

export function naming(prefix: string): string {
  return `variable "name" {
  type = string
}

output "name" {
  value = "${prefix}-\${var.name}"
}
`;
}

/** A DNS record, in a file of its own so that changes do not conflict. */
export function dnsRecord(name: string, target: string): string {
  return `resource "terraform_data" "${name}" {
  input = { zone = terraform_data.zone.id, name = "${name}", target = "${target}" }
}
`;
}
