/** What people write, for editors to offer: whole files, and values of keys whose form is not obvious, by the ends of their paths. */

export const FILE_EXAMPLES = {
  server: {
    repositories: [{ match: 'acme/*', timeout: { apply: '2h' }, permissions: { confirm: { teams: ['acme/sre'] } } }],
    storage: {
      deployments: 's3://acme-nereid/records',
      plans: 's3://acme-nereid/plans',
      logs: 's3://acme-nereid/logs',
    },
    audit: { to: 'sns:arn:aws:sns:eu-central-1:123456789012:nereid' },
  },
  repository: {
    version: 1,
    roots: [{ dir: 'prod/network' }, { dir: 'prod/app', depends_on: ['prod-network'], var_files: ['prod.tfvars'] }],
  },
} as const;

export const KEY_EXAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  'repositories.match': ['acme/network', 'acme/*'],
  'repositories.branch': ['main'],
  'repositories.modules_from': [['acme/modules']],
  'terraform.version': ['1.11.4'],
  'terraform.memory': ['4GiB'],
  'terraform.env_allow': [['AWS_*', 'GOOGLE_CREDENTIALS']],
  'storage.deployments': ['s3://acme-nereid/records', 'gs://acme-nereid/records', 'file:/var/lib/nereid-storage'],
  'storage.plans': ['s3://acme-nereid/plans', 'az://acme/nereid/plans'],
  'storage.logs': ['s3://acme-nereid/logs'],
  'audit.to': [
    'sns:arn:aws:sns:eu-central-1:123456789012:nereid',
    ['pubsub:projects/acme-prod/topics/nereid', 'file:/var/lib/nereid-storage/audit.jsonl'],
  ],
  'audit.to.webhook': ['https://audit.example.org/nereid'],
  'audit.to.event_grid': ['https://nereid.westeurope-1.eventgrid.azure.net/api/events'],
  'audit.to.secret_file': ['/run/secrets/audit/webhook'],
  'notifications.channel': ['C0123ABCD'],
  'notifications.from': ['nereid@example.org'],
  'notifications.to': [['ops@example.org']],
  'notifications.secret_file': ['/run/secrets/notifications/slack'],
  'notifications.when': [['failed', 'outcome-unknown']],
  'notifications.repositories': [['acme/infra']],
  'notifications.roots': [['prod']],
  'console.operators': [['ada']],
  comment_name: ['nereid', ['nereid', 'atlantis']],
  command_bots: [['renovate[bot]']],
  terraform_version: ['1.11.4'],
  'timeout.plan': ['30m'],
  'timeout.apply': ['2h'],
  'review.each_of': [['acme/sre', 'acme/dba']],
  'review.expires': ['2d'],
  'auto_when.only_types': [['aws_route53_*']],
  teams: [['acme/sre']],
  users: [['ada']],
  'roots.dir': ['prod/network'],
  'roots.when_modified': [['*.tf', '../modules/**']],
  'roots.depends_on': [['prod-network']],
  'roots.var_files': [['prod.tfvars']],
};
