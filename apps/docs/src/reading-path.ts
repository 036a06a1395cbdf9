/** The pages, in the order in which they are read: the sidebar of the site. A page that is not here is in no menu. */

export interface Part {
  readonly title: string;
  readonly pages: readonly PageLink[];
}

export interface PageLink {
  readonly title: string;
  /** Below `apps/docs`, with `.md`. */
  readonly page: string;
}

export const READING_PATH: readonly Part[] = [
  part('Start', {
    'What it is': 'index',
    'Try it': 'start/try-it',
    'Your first repository': 'start/first-repository',
    'Is it for you?': 'start/is-it-for-you',
  }),
  part('Concepts', {
    'How it works': 'concepts/how-it-works',
    'Who is trusted with what': 'concepts/trust',
    'The sandbox': 'concepts/sandbox',
    'Who may say what': 'concepts/signatures',
    Glossary: 'concepts/glossary',
  }),
  part('Guides: where it runs', {
    'One machine': 'guides/one-machine',
    'A virtual machine': 'guides/virtual-machine',
    'Without nereid setup': 'guides/by-hand',
    Kubernetes: 'guides/kubernetes',
    'Cloud Run': 'guides/cloud-run',
    Temporal: 'guides/temporal',
    Storage: 'guides/storage-credentials',
    'Proxies, private certificates, no internet': 'guides/proxies',
    Traces: 'guides/traces',
  }),
  part('Guides: people and rights', {
    'Logins of the console': 'guides/logins',
    'Identities of roots': 'guides/identities',
    'Secrets for one root': 'guides/secrets',
    'A company with two clouds': 'guides/two-clouds',
    'Pools of hosts': 'guides/pools',
    'Several reviewers, or none': 'guides/reviews',
    Policies: 'guides/policies',
    Notifications: 'guides/notifications',
  }),
  part('Guides: order and time', {
    'The order of roots': 'guides/order-of-roots',
    Waves: 'guides/waves',
    'Windows, freezes and stops': 'guides/windows',
    Budgets: 'guides/budgets',
    'Jobs of GitHub Actions': 'guides/protection-rules',
  }),
  part('Guides: Terraform', {
    'Pull requests and merge queues': 'guides/pull-requests',
    'Terraform, OpenTofu, versions': 'guides/versions',
    'A large configuration in several files': 'guides/several-files',
    'States, workspaces, variables': 'guides/states',
    'Git LFS and submodules': 'guides/lfs-and-submodules',
    'Coming from Atlantis': 'guides/coming-from-atlantis',
    'Coming from Neptune': 'guides/coming-from-neptune',
  }),
  part('Operate', {
    'By symptom': 'operate/by-symptom',
    'The doctor': 'operate/doctor',
    Runbooks: 'operate/runbooks',
    'Stuck, ended or blocked': 'operate/stuck',
    'While GitHub is down': 'operate/without-github',
    Disasters: 'operate/disasters',
    Upgrade: 'operate/upgrade',
    Releases: 'operate/releases',
    'Retention and erasure': 'operate/retention',
    'How a worker stops': 'operate/stop',
    'Hosts and their slots': 'operate/slots',
    'The disk of a worker': 'operate/disk',
    'Sizes and costs': 'operate/sizes',
    'Scale, on paper': 'operate/scale',
  }),
  part('Reference: files and settings', {
    "The server's file": 'reference/server-file',
    'Its section console': 'reference/console',
    "A repository's file": 'reference/repository-file',
    'Inputs of a root': 'reference/inputs',
    'Who brought a change': 'reference/who-brought-a-change',
    'The environment': 'reference/environment',
  }),
  part('Reference: surfaces', {
    'Check runs, buttons, commands': 'reference/github',
    "The console's pages": 'reference/pages',
    'The command line': 'reference/command-line',
    'All verbs': 'reference/verbs',
    'The API': 'reference/api',
    'Actions of the API': 'reference/api-actions',
    'Permissions of the App': 'reference/app-permissions',
    'Audit events': 'reference/audit-events',
    'Notifications as JSON': 'reference/notifications',
    'Metrics, alerts, the log': 'reference/metrics',
    'Who may reach what': 'reference/network',
    'Temporal features': 'reference/temporal-features',
  }),
  part('Questions', { 'Frequent questions': 'faq' }),
];

function part(title: string, pages: Readonly<Record<string, string>>): Part {
  return { title, pages: Object.entries(pages).map(([name, path]) => ({ title: name, page: `${path}.md` })) };
}
