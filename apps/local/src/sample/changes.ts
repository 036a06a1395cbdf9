/** The changes that people propose in the story, and that the demo prepares for a person. */
import type { GitHubStandIn } from '@nereid/github-stand-in';
import type { Person } from './people.ts';
import { dnsRecord, FROZEN_ROOT, naming, SAMPLE_NAME, SETTINGS, size, subnets, WAVE_ROOTS } from './repository.ts';

export interface Change {
  readonly branch: string;
  readonly title: string;
  /** Markdown. */
  readonly body: string;
  readonly author: Person;
  /** Text by path. */
  readonly files: Readonly<Record<string, string>>;
}

export const CHANGES = {
  grow: {
    branch: 'grow',
    title: 'Room to grow: a third subnet, a larger database, longer names',
    body: 'Touches `network`, `database` and the module `modules/naming`, which `service` uses: three roots deploy.',
    author: 'bob',
    files: {
      'network/subnets.tf': subnets(3),
      'database/size.tf': size('medium'),
      'modules/naming/main.tf': naming('acme-eu'),
    },
  },
  breakNaming: {
    branch: 'team-names',
    title: 'Names begin with the team',
    body: 'Uses a variable that nobody declared: the plan of `service` fails, and its check run says why.',
    author: 'bob',
    files: { 'modules/naming/main.tf': naming('${var.team}') },
  },
  mendNaming: {
    branch: 'team-names-mended',
    title: 'The team is a constant',
    body: 'Fixes `modules/naming`.',
    author: 'bob',
    files: { 'modules/naming/main.tf': naming('acme-team') },
  },
  comment: {
    branch: 'explain-subnets',
    title: 'Explain the subnets',
    body: 'A comment only: the plan has no changes, so nobody is asked.',
    author: 'bob',
    files: { 'network/subnets.tf': `# One for each zone.\n${subnets(3)}` },
  },
  replica: {
    branch: 'replica',
    title: 'A replica of the database',
    body: 'Merge it together with the backup: the second merge waits for the first.',
    author: 'bob',
    files: { 'database/replica.tf': databasePart('replica') },
  },
  backup: {
    branch: 'backup',
    title: 'A backup of the database',
    body: 'Merge it together with the replica: the second merge waits for the first.',
    author: 'alice',
    files: { 'database/backup.tf': databasePart('backup') },
  },
  gateway: {
    branch: 'gateway',
    title: 'A gateway to the internet',
    body: 'Press **Confirm for merge** on its plan, then merge: exactly that plan is applied, and nobody is asked again.',
    author: 'bob',
    files: { 'network/gateway.tf': networkPart('gateway') },
  },
  peering: {
    branch: 'peering',
    title: 'A peering with the office',
    body: 'Merge it while the gateway is open: its plan is out of date until this is deployed, and is made again then.',
    author: 'alice',
    files: { 'network/peering.tf': networkPart('peering') },
  },
  www: {
    branch: 'www',
    title: 'www.acme.example',
    body:
      'Approve it as somebody other than bob, then comment `nereid apply`: that deploys it before it is merged, and locks the ' +
      'lane of `dns`.',
    author: 'bob',
    files: { 'dns/www.tf': dnsRecord('www', '10.0.0.10') },
  },
  mail: {
    branch: 'mail',
    title: 'mail.acme.example',
    body:
      '`dns` has `plan_review: auto`: a merge is applied without a review. While the lane is locked, the merge waits. After ' +
      'a manual deployment of another head, a person reviews the plan, because it would undo that deployment.',
    author: 'alice',
    files: { 'dns/mail.tf': dnsRecord('mail', '10.0.0.20') },
  },
  shop: {
    branch: 'shop',
    title: 'shop.acme.example',
    body: 'Approve it and comment `nereid apply dns` while a merge waits: a manual deployment goes first.',
    author: 'bob',
    files: { 'dns/shop.tf': dnsRecord('shop', '10.0.0.30') },
  },
  archive: {
    branch: 'archive',
    title: 'An archive for the next century',
    body: 'Two people confirm it, and a freeze keeps it from being applied: its check run says until when.',
    author: 'bob',
    files: { [`${FROZEN_ROOT}/main.tf`]: `${SETTINGS}\nresource "terraform_data" "archive" {\n  input = "tape"\n}\n` },
  },
  shorterNames: {
    branch: 'shorter-names',
    title: 'Names without the team',
    body: 'Merge it while a stop covers `service`: it is planned once somebody thaws the repository.',
    author: 'bob',
    files: { 'modules/naming/main.tf': naming('acme-short') },
  },
  edges: {
    branch: 'edges',
    title: 'An edge in three places',
    body: 'Three roots in waves: `edge-1` goes first, its apply fails, and that halts the others.',
    author: 'bob',
    files: Object.fromEntries(WAVE_ROOTS.map((root) => [`${root}/main.tf`, edge(root === 'edge-1' ? 80 : 443)])),
  },
  mendEdge: {
    branch: 'edge-mended',
    title: 'The edge listens on 443',
    body: 'Fixes `edge-1`: once it is applied, the other edges go on by themselves.',
    author: 'alice',
    files: { 'edge-1/main.tf': edge(443) },
  },
} as const satisfies Record<string, Change>;

/** Pushes the change to its own branch, from the head of the default branch, and opens a pull request. Returns its number. */
export async function propose(
  github: Pick<GitHubStandIn, 'commit' | 'openPullRequest'>,
  change: Change,
  repository: string = SAMPLE_NAME,
): Promise<number> {
  const { branch, title, body, author, files } = change;
  await github.commit({ repository, branch, files, message: title, author });
  const { number } = await github.openPullRequest({ repository, title, body, head: branch, author });
  return number;
}

/** Its plan is always fine. */
function edge(port: number): string {
  return `${SETTINGS}
resource "terraform_data" "edge" {
  input = { port = ${port} }

  provisioner "local-exec" {
    command = "test \${self.input.port} = 443 || { echo 'no answer on port 443' >&2; exit 1; }"
  }
}
`;
}

function networkPart(name: string): string {
  return `resource "terraform_data" "${name}" {
  input = { vpc = terraform_data.vpc.id }
}
`;
}

function databasePart(name: string): string {
  return `resource "terraform_data" "${name}" {
  input = { database = terraform_data.database.id }
}
`;
}
