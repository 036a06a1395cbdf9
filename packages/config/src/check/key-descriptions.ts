/** The meaning of each key, by its path: from the tables of keys in apps/docs. Written by key-descriptions.test.ts. */
export const KEY_DESCRIPTIONS: Readonly<Record<string, string>> = {
  'repositories.match':
    'the repositories of this entry, ignoring case; a repository that no entry matches is never deployed',
  'repositories.branch': 'the branch whose pushes are deployed',
  'repositories.allowed_overrides':
    'what nereid.yaml may set: plan_review, workflow, terraform_version, distribution, queue, on_failure, timeout',
  'repositories.allowed_hosts': 'the hosts that nereid.yaml may ask for',
  'repositories.modules_from': 'private repositories of the same owner from which init may fetch modules',
  'repositories.lfs': 'hosts fetch the files in Git LFS that a root may read',
  'repositories.pull_requests':
    'whether pull requests are planned: anybody who can push a branch then runs code in a sandbox',
  'repositories.fork_plans':
    'whether pull requests from forks are planned: if somebody with write permission comments nereid plan, exactly the head that was there is planned',
  'repositories.plan_all_bases': 'whether pull requests into other branches than the deployed one are planned as well',
  'repositories.pull_request_comment':
    'when the plans of a pull request also appear in one comment: if something changes or fails, always, or never',
  'repositories.stale':
    'what nereid/plan of a pull request does while its plans are out of date: it keeps its conclusion and says so, or fails until they are up to date',
  'repositories.unlock_on_merge':
    'whether a merge of exactly what was deployed manually lifts the lock of that deployment',
  'repositories.roots': 'rules; take precedence over the settings of all entries, and no repository can override them',
  workflows: 'the names that workflow can have, besides standard; an entry standard replaces the built-in one',
  policies: 'the policies that judge plans',
  windows: 'windows and freezes: when roots are planned and applied',
  budgets: 'how many roots are applied, or planned, at once',
  waves: 'the waves in which the roots of a merge are deployed',
  pools: 'pools of hosts: which roots run on which workers',
  'terraform.distribution': 'for roots that set none',
  'terraform.version': 'for roots that set none and whose code has no required_version',
  'terraform.downloads':
    'versions that are neither in PATH nor cached are downloaded and checked against their published checksums',
  'terraform.mirror':
    "has <distribution>/index.json and <distribution>/<version>/…, like releases.hashicorp.com, with the vendor's signatures",
  'terraform.parallel_runs': 'slots of each host',
  'terraform.parallel_plans':
    'slots of each host reserved for plans of pull requests, which borrow all others until deployments need them',
  'terraform.env_allow':
    "variables of the worker that Terraform and steps see; the worker's own secrets are never among them",
  'terraform.env_allow_plan': 'more such variables, for plans of deployments only',
  'terraform.env_allow_apply': 'more such variables, for applies only',
  'terraform.env_allow_preview':
    'variables that plans of pull requests see instead of those of env_allow, because nobody has merged their code',
  'terraform.volatile_attributes': 'attributes that make no difference between equal plans',
  'terraform.sandbox': 'what keeps code of repositories from everything that is not its own; none: nothing',
  'terraform.sandbox_read': 'files and folders that every command can read in its sandbox; they must exist',
  'terraform.sandbox_write': 'files and folders that every command can change',
  'terraform.shared_state':
    'folders, part of sandbox_write, that all hosts of all roots share: where the backend local may keep a state',
  'terraform.secrets_folder': 'the folder of each host with the files of env_from, which no command sees',
  'terraform.sandbox_processes':
    'processes and threads of a command at a time; the kernel does not limit the user root',
  'terraform.sandbox_file_gb': 'gigabytes that a command may write to one file, not to all its files',
  'terraform.tree_gb': 'gigabytes that the working tree of one revision may take on the disk of a host',
  'terraform.memory': 'memory that the commands of a job may use together, if the worker can limit it',
  'terraform.network': 'what commands reach: everything that the worker reaches, or nothing',
  'terraform.reachable':
    'what a worker does if it finds at startup that commands reach Temporal, the console or a metadata service',
  'terraform.traces': 'Terraform and OpenTofu add their spans to the trace of a deployment',
  'storage.deployments': 'records of lanes and deployments',
  'storage.plans': 'waiting plans, encrypted with PLAN_KEY',
  'storage.logs': 'logs of jobs, and the texts of plans',
  'storage.s3.endpoint': 'for servers other than AWS',
  'storage.s3.region': "text (AWS SDK's own, AWS_REGION)",
  'storage.s3.path_style': "the bucket in the path instead of the host's name",
  'storage.gs.endpoint': 'for a private address, or a cloud other than the public one',
  'storage.gs.emulator': 'an emulator in its place, which receives no credentials',
  'storage.az.endpoint':
    'for a cloud other than the public one (https://{account}.blob.core.windows.net), or an emulator; without TLS only with AZURE_STORAGE_KEY',
  'storage.az.client_id': "which of the machine's managed identities to use; pods with a workload identity need none",
  'retention.logs': 'for how long logs of jobs are kept',
  'retention.records': "for how long records of ended deployments, and the console's history, are kept",
  'retention.previews': 'for how long plans of closed pull requests are kept',
  'audit.to': "where the events of applies and of people's actions go",
  'audit.to.webhook': 'receives each event, signed',
  'audit.to.event_grid': 'the endpoint of a topic of Azure Event Grid',
  'audit.to.secret_file':
    'of a webhook, the secrets that sign; of Event Grid, the key of the topic; read again for each event',
  'audit.required': 'nothing is applied before its event RUNNING is stored',
  'audit.sns.endpoint': "URL (AWS SDK's own)",
  'audit.sns.region': "text (AWS SDK's own)",
  'audit.pubsub.endpoint': 'for a private address, or the endpoint of a region',
  'notifications.name': 'names the destination in commands, metrics and the log',
  'notifications.kind': 'what the destination is',
  'notifications.url':
    'the address of a webhook, a mail server or an Alertmanager; Slack and PagerDuty have one already',
  'notifications.channel': 'the channel of Slack',
  'notifications.from': 'the sender of e-mail',
  'notifications.to': 'the people who get e-mail',
  'notifications.secret_file':
    'the secrets that sign a webhook, the token of Slack, the address of a workflow of Teams, the password of the mail server, or the key of PagerDuty; read again for each message',
  'notifications.when':
    'the topics that the destination is told of; by default, those that a person has to do something about',
  'notifications.quiet.hours':
    'two times of the day, at most 20 hours apart: what comes between them is held back, and delivered at the end',
  'notifications.quiet.timezone': 'the time zone of these times, and of the days of once_per',
  'notifications.quiet.hold_failures':
    'of PagerDuty and Alertmanager, whether alerts for failures and stuck workflows wait, too, and the end of alerts',
  'notifications.once_per':
    'the destination is told of each topic once in each deployment, in each rollout of a revision, or once a day for each root; not for PagerDuty and Alertmanager, which tell one alert from another',
  'notifications.digest':
    'of e-mail, one message a day in place of one for each notification: what waits, and what failed, since the last one',
  'notifications.repositories': 'the repositories that it is told of',
  'notifications.roots': 'the roots that it is told of, matched by any of their directories, as for rules',
  'deployments.environment': "the name of each root's environment on GitHub, where each apply is shown",
  'deployments.repositories': 'the repositories whose applies are shown',
  'deployments.roots': 'the roots whose applies are shown',
  protection_rules: 'jobs of GitHub Actions that wait until roots are applied',
  'protection_rules.environment':
    'the environment whose jobs wait; case makes no difference. A job waits for the roots of all entries with its environment',
  'protection_rules.repositories': 'the repositories whose jobs wait',
  'protection_rules.roots': 'the roots for which they wait, matched by any of their directories, as for rules',
  verify_presses:
    "a press of a button counts only if GitHub's own log of webhooks has it with the same check run, button and person. Costs two more requests, and some seconds",
  workflow_routing: 'who has workflows routed to another version of the control workers: they themselves, or people',
  comment_name: 'the first word of commands',
  command_bots: 'bots whose comments count as commands; each needs the permission for its command, as a person does',
  'console.operators':
    'the people who may drain any host, stop all repositories or a pool, and read sealed messages that name no repository: operators',
  plan_review:
    'who reviews a plan with changes before it is applied: a person, after the merge; a person, before the merge or after it; nobody; a person if the plan destroys, replaces or forgets something',
  on_failure: 'halt: a failed apply locks the lane',
  queue:
    'every: each merged revision is deployed, in the order of the branch. newest: only the newest waiting revision is deployed, and the check runs of the older ones that it contains say so',
  workflow: 'the steps',
  terraform_version:
    "without it, the newest version that the code's required_version allows, or else the server's version",
  distribution: 'tofu is OpenTofu',
  'timeout.plan':
    'the time after which Terraform is interrupted, not counting the wait for a host, fetching, and storing the plan. The longest apply decides how long a worker may take to stop',
  'timeout.apply':
    'the time after which Terraform is interrupted, not counting the wait for a host, fetching, and storing the plan. The longest apply decides how long a worker may take to stop',
  max_plan_age:
    'an older plan is made, and reviewed, again before it is applied; of several limits, the shortest counts',
  hosts: 'the hosts that run the code; a repository may ask only for allowed_hosts, whatever allowed_overrides says',
  network: "what commands of the root reach: everything that the worker reaches, or nothing; in the server's file only",
  'environment.plan':
    "variables of the plan (for pull requests, too) and of the apply, no secrets, merged name by name: the identity of a root; in the server's file only, like env_from and identity",
  'environment.apply':
    "variables of the plan (for pull requests, too) and of the apply, no secrets, merged name by name: the identity of a root; in the server's file only, like env_from and identity",
  'env_from.preview':
    'secrets of the root for plans of pull requests, from files of terraform.secrets_folder; not in a rule that matches names',
  'env_from.plan':
    'secrets of the root for plans of deployments, from files of terraform.secrets_folder; not in a rule that matches names',
  'env_from.apply':
    'secrets of the root for applies, from files of terraform.secrets_folder; not in a rule that matches names',
  'identity.audience':
    'gives each job a token for this audience, which clouds exchange for credentials; not in a rule that matches names',
  'identity.google.provider': 'the workload identity provider that exchanges the token, for roots on Google Cloud',
  'identity.google.service_account.plan': 'the service account that the job impersonates',
  'identity.google.service_account.apply': 'the service account that the job impersonates',
  review: "how many people confirm a plan, and of which teams; in the server's file only",
  auto_when: "the plans that need nobody; in the server's file only",
  carry_review:
    "whether answers to a plan that could not be used count for an equal one that is made in its place; in the server's file only",
  prepare_revert:
    "whether going back to the last good revision is planned after a failed apply; in the server's file only",
  permissions: "in the server's file only",
  'permissions.confirm': 'Confirm is pressed',
  'permissions.reject': 'Reject is pressed',
  'permissions.unlock': 'Unlock is pressed, or somebody comments nereid unlock',
  'permissions.rerun': "GitHub's Re-run is pressed on a deployment, or a revision is deployed in the console",
  'permissions.plan':
    'somebody comments nereid plan, or asks on the check run or in the console to plan a pull request again; checked for each root',
  'permissions.apply': 'somebody comments nereid apply',
  'permissions.apply_force': 'somebody comments nereid apply -f, or lets a deployment pass stops and windows',
  'permissions.extend': 'somebody lets a plan wait for its review for longer',
  'permissions.cancel': 'somebody comments nereid cancel, or Cancel is pressed',
  'permissions.force_unlock': 'somebody comments nereid force-unlock',
  'permissions.stop': 'somebody stops a repository',
  'permissions.thaw': 'somebody ends all stops of a repository',
  'permissions.skip_soak': 'somebody skips a wave of a merge',
  permission: 'at least this permission on the repository',
  teams:
    "a member of one of them. A team that does not exist on GitHub has no members; config check cannot detect that, but refusals say so, and the worker's log warns once",
  users: 'one of them',
  not_author: 'not one of the people who brought the change',
  'plan.init': 'runs terraform init; after a network failure, retries it at most twice',
  'apply.init': 'runs terraform init; after a network failure, retries it at most twice',
  'plan.plan': 'runs terraform plan with the var_files of the root',
  'apply.plan': 'runs terraform plan with the var_files of the root',
  'plan.apply': 'applies the plan that was shown',
  'apply.apply': 'applies the plan that was shown',
  extra_args: 'further arguments for these three, which may contain variables',
  'plan.run':
    'runs the command with /bin/sh, with BASE_REPO_OWNER, BASE_REPO_NAME, HEAD_COMMIT, DIR, PROJECT_NAME, REPO_REL_DIR, WORKSPACE, PLANFILE, TERRAFORM',
  'apply.run':
    'runs the command with /bin/sh, with BASE_REPO_OWNER, BASE_REPO_NAME, HEAD_COMMIT, DIR, PROJECT_NAME, REPO_REL_DIR, WORKSPACE, PLANFILE, TERRAFORM',
  'plan.env': 'sets a variable for all later steps',
  'apply.env': 'sets a variable for all later steps',
  'env.name': 'for env',
  'env.value':
    'for env; with run instead, the value is the output of the command. The command runs once per deployment: the job apply gets the value of the job plan',
  version: 'the version of this format',
  include: 'further files of this repository with roots, from its top, such as roots/*.yaml',
  'roots.dir': 'the directory, from the top of the repository',
  'roots.name': "the root's name in check runs, commands and the server's file",
  'roots.workspace': 'the Terraform workspace; a directory may have several roots, each with its own workspace',
  'roots.enabled': 'false: merges do not deploy it, but commands that name it do',
  'roots.when_modified': 'the files whose changes modify this root, instead of its inputs',
  'roots.depends_on': 'roots that go before this one when one merge modifies both',
  'roots.execution_order_group': 'roots of lower groups go before roots of higher ones',
  'roots.var_files': 'given to plan as -var-file, from dir, and to the commands that need them',
  'autodiscover.mode': 'auto: only if roots is empty or absent; enabled: in addition to the declared roots',
  'autodiscover.ignore': 'directories, from the top of the repository',
  'console.login': 'how people log in',
  'console.login.local.as': "the login for which people on the console's own machine act",
  'console.login.github.client_id': 'the client id of the GitHub App',
  'console.login.oidc.issuer': "the provider's own address, exactly as in its tokens",
  'console.login.oidc.client_id': 'the client id that the provider gave',
  'console.login.oidc.claim': 'the claim that names the person',
  'console.login.oidc.vouches_for_email':
    'whether an email without email_verified counts: only where the provider verifies every address',
  'console.login.proxy.header': "the header in which the proxy asserts a person's identity",
  'console.login.proxy.issuer': 'the required issuer of the assertion',
  'console.login.proxy.audience': 'the required audience of the assertion',
  'console.login.proxy.keys': 'where the proxy publishes its keys (JWKS)',
  'console.login.proxy.claim': 'the claim that names the person',
  'console.login.proxy.vouches_for_email': 'the same for the proxy',
  'console.log_links':
    'key: links in check runs and comments open the page and its logs for 90 days; login: these links hold no key, which requires console.login; read at the start',
  'console.temporal_ui.url': "where people open Temporal's UI, for links; read at the start",
  'console.temporal_ui.decodes':
    'whether its pages may ask the console to decode sealed or compressed content, which requires console.login',
  'console.people':
    'maps names of the provider or the proxy to GitHub logins; other names are GitHub logins themselves',
  'console.tokens.name': "the name of a script's token, shown where it acts",
  'console.tokens.sha256': 'the hash that nereid token prints',
  'console.tokens.login': 'whose permissions the token has',
  'console.tokens.scopes':
    'the requests that the script may make; hosts and notifications require a token for all repositories',
  'console.tokens.repositories': 'the repositories in which it may make them',
  'console.tokens.expires': 'its last day, in UTC',
  'policies.name': 'shown on check runs; unique',
  'policies.source':
    "holds the Rego files; absolute, or relative to the folder of the server's file. Every worker with the role terraform needs it",
  'policies.enforce': 'required: a plan with changes that it denies is applied only after an override',
  'policies.owners':
    'who may override the policy: a member of one of the teams, or one of the users. A required policy has at least one owner',
  'policies.repositories': 'the repositories whose plans it judges',
  'policies.roots': 'the roots whose plans it judges, matched by any of their directories, as for rules',
  'policies.namespaces': 'where conftest looks for rules called deny, violation and warn',
  'policies.rego': 'the version of Rego: deny[msg] { … } is v0, deny contains msg if { … } is v1',
  'windows.name': 'shown to people who wait; unique',
  'windows.kind': 'whether its roots are deployed in this time, or are not',
  'windows.rrule':
    'how the window recurs, by the day or less often, like FREQ=MONTHLY;BYDAY=-1FR; its end, UNTIL, is in UTC',
  'windows.dtstart': 'when it first begins, on the clocks of its time zone',
  'windows.duration': 'how long it lasts each time; at most until it begins again',
  'windows.timezone':
    'the clocks by which it begins. A time that summer time skips means the end of the gap; one that comes twice, the first',
  'windows.repositories': 'the repositories that it covers',
  'windows.roots': 'the roots that it covers, matched by each of their directories, as for rules',
  'windows.doors': 'what waits while the root is closed: the plans of deployments, or their applies',
  'budgets.name': 'shown to people who wait; unique. A new name has no leases',
  'budgets.applies': 'at most so many of its roots are applied at once, in all repositories together',
  'budgets.plans': 'at most so many deployments of its roots are planned at once, likewise',
  'budgets.weights': 'a repository of weight 3 gets three leases for one of any other',
  'budgets.repositories': 'the repositories that it covers',
  'budgets.roots': 'the roots that it covers, matched by any of their directories, as for rules',
  'waves.name': 'shown to people who wait; unique',
  'waves.repositories': 'the repositories that it is about',
  'waves.roots': 'the roots that it is about, matched by any of their directories, as for rules',
  'waves.max': "how many roots it takes at most; a share is one of the merge's roots that the wave is about",
  'waves.soak': 'how long the next wave waits after the last deployment of this one',
  'waves.checks': 'the checks that have to pass while it soaks, and at the end of that',
  'waves.checks.name': 'shown to people who wait; unique in its wave',
  'waves.checks.every': 'how often it runs',
  'waves.checks.failures': 'how often it may fail in a row: the last of these failures halts the rollout',
  'waves.checks.http': 'a GET request that has to be answered; a check has this, or prometheus, or run',
  'waves.checks.http.url': 'what is asked for; redirects are not followed',
  'waves.checks.http.status': 'the status that is expected',
  'waves.checks.prometheus':
    'an instant query of Prometheus, or of what speaks its API: Thanos, Mimir, VictoriaMetrics',
  'waves.checks.prometheus.url': 'the server, without /api/v1',
  'waves.checks.prometheus.query': 'what is asked for: one number',
  'waves.checks.prometheus.expect':
    'how that number has to compare, like < 0.01; no data: the query, as in a rule of an alert, has to find no series',
  'waves.checks.http.secret_file':
    'a file of the control workers with a key on one line, sent with the request; its URL needs TLS',
  'waves.checks.prometheus.secret_file':
    'a file of the control workers with a key on one line, sent with the request; its URL needs TLS',
  'waves.checks.http.secret_header': 'the header that has the key; in Authorization, it stands behind Bearer',
  'waves.checks.prometheus.secret_header': 'the header that has the key; in Authorization, it stands behind Bearer',
  'waves.checks.http.timeout': 'how long an answer may take',
  'waves.checks.prometheus.timeout': 'how long an answer may take',
  'waves.checks.run': 'a command that a host runs in a root, as a step of its plan, and that has to end with 0',
  'waves.checks.run.command':
    'for /bin/sh; it runs after the steps before the plan, so it can read the outputs of the state',
  'waves.checks.run.root': 'the root it runs in',
  'waves.checks.run.timeout': 'how long it may take, with the steps before it',
  'review.count': 'how many people confirm a plan that takes a review',
  'review.each_of': 'a member of each team confirms it; one person counts for one team',
  'review.expires': 'how long a plan waits for its review',
  'review.remind': 'for how long a plan has waited when people are reminded',
  'review.escalate.after': 'for how long a plan has waited when the review goes to a team',
  'review.escalate.to': 'the team; nobody else may confirm the plan because of that',
  'review.hours.days': 'the working days: only working hours count for reminders and escalations',
  'review.hours.from': 'when the working hours begin',
  'review.hours.to': 'when they end',
  'review.hours.timezone': 'the clocks by which they begin and end',
  'auto_when.no': 'changes that such a plan does not make',
  'auto_when.only_types': 'all changed resources are of one of these types',
  'auto_when.max_changes': 'how many resources it changes at most',
  'auto_when.policies': 'policies that have judged the plan and passed it',
  'auto_when.authors': 'the rule counts although not_author holds for the root; without it, a person is asked there',
  'pools.name': 'the name of the pool; hosts belong to it by their POOL',
  'pools.labels': 'other names by which roots may ask for the pool',
  'pools.public_key': 'Ed25519: verifies the signatures of its hosts; several, for rotation, one after another',
  'pools.seal_public_key': 'X25519: seals tokens for its hosts; of several, the last is used',
};
