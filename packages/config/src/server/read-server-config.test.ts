import { describe, expect, test } from '@jest/globals';
import { formatProblem } from '../yaml/problem.ts';
import { policyFor } from './repository-policy/policy.ts';
import { readServerConfig } from './read-server-config.ts';

const STORAGE = 'storage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }';

const COMPLETE = `
repositories:
  - match: acme/infra
    roots:
      prod-*: { plan_review: required, permissions: { confirm: { teams: [acme/sre], not_author: true } } }
  - match: acme/*
    branch: main
    plan_review: auto_unless_destroy
    queue: newest
    on_failure: halt
    timeout: { plan: 90m, apply: 24h }
    permissions: { unlock: { permission: maintain, users: [alice] } }
    workflow: with-hook
    terraform_version: "1.9.8"
    distribution: tofu
    allowed_overrides: [plan_review, workflow]
    modules_from: [acme/modules, acme/tf-*]
    lfs: true
    pull_requests: plan
    fork_plans: on_command
    plan_all_bases: true
workflows:
  with-hook:
    plan:
      - env: { name: TF_VAR_build, run: "git rev-parse HEAD" }
      - env: { name: TF_VAR_stage, value: "" }
      - init: { extra_args: ["-backend-config=path=x"] }
      - plan: { extra_args: ["-var-file=env.tfvars"] }
    apply: [apply, { run: "./notify.sh" }]
terraform: { distribution: tofu, version: "1.11.4", downloads: false, mirror: "https://mirror.example/", parallel_runs: 4, parallel_plans: 3, env_allow: [AWS_*], env_allow_plan: [A], env_allow_apply: [B], sandbox: none, sandbox_read: [/run/token], sandbox_write: [/srv/state], shared_state: [/srv/state/], sandbox_processes: 100, sandbox_file_gb: 2, tree_gb: 3, memory: 4GiB, network: none }
storage:
  deployments: "s3://bucket/nereid/"
  plans: "s3://bucket"
  logs: "file:/var/lib/nereid/logs"
  s3: { endpoint: "http://127.0.0.1:5000", region: eu-west-1, path_style: true }
audit: { to: "sns:arn:aws:sns:eu-west-1:123456789012:deploys.fifo", sns: { endpoint: "http://127.0.0.1:5000" } }
comment_name: [neptune, atlantis]
verify_presses: true
workflow_routing: manual
command_bots: ["renovate[bot]"]
`;

test('every key becomes a setting', () => {
  const read = readServerConfig(COMPLETE);

  expect(read).toMatchObject({
    kind: 'ok',
    warnings: [],
    config: {
      repositories: [
        {
          match: 'acme/infra',
          settings: {},
          roots: [
            {
              match: 'prod-*',
              settings: { planReview: 'required', permissions: { confirm: { teams: ['acme/sre'], notAuthor: true } } },
            },
          ],
        },
        {
          match: 'acme/*',
          branch: 'main',
          allowedOverrides: ['plan_review', 'workflow'],
          modulesFrom: ['acme/modules', 'acme/tf-*'],
          lfs: true,
          pullRequests: 'plan',
          forkPlans: 'on_command',
          planAllBases: true,
          settings: {
            planReview: 'auto_unless_destroy',
            queue: 'newest',
            onFailure: 'halt',
            timeoutMs: { plan: 5_400_000, apply: 86_400_000 },
            workflow: 'with-hook',
            terraformVersion: '1.9.8',
            distribution: 'tofu',
            permissions: { unlock: { permission: 'maintain', users: ['alice'] } },
          },
        },
      ],
      terraform: {
        distribution: 'tofu',
        version: '1.11.4',
        downloads: false,
        mirror: 'https://mirror.example',
        parallelRuns: 4,
        parallelPlans: 3,
        ...{ envAllow: ['AWS_*'], envAllowPlan: ['A'], envAllowApply: ['B'] },
        sandbox: 'none',
        sandboxRead: ['/run/token'],
        sandboxWrite: ['/srv/state'],
        sharedState: ['/srv/state'],
        sandboxProcesses: 100,
        ...{ sandboxFileBytes: 2e9, treeBytes: 3e9, memoryBytes: 4_294_967_296 },
        network: 'none',
      },
      storage: {
        deployments: 's3://bucket/nereid',
        plans: 's3://bucket',
        logs: 'file:/var/lib/nereid/logs',
        s3: { endpoint: 'http://127.0.0.1:5000', region: 'eu-west-1', pathStyle: true },
        gs: {},
        az: {},
      },
      audit: {
        to: [{ to: 'sns:arn:aws:sns:eu-west-1:123456789012:deploys.fifo' }],
        required: true,
        sns: { endpoint: 'http://127.0.0.1:5000' },
        pubsub: {},
      },
      retention: { previewsMs: 2_592_000_000 },
      commentNames: ['neptune', 'atlantis'],
      verifyPresses: true,
      workflowRouting: 'manual',
      commandBots: ['renovate[bot]'],
    },
  });
});

test.each([
  ['1m', 60_000],
  ['90m', 5_400_000],
  ['2h', 7_200_000],
  ['1d', 86_400_000],
])('the timeout %s is %d ms', (timeout, ms) => {
  const read = readServerConfig(`repositories: [{ match: acme/*, timeout: { plan: ${timeout} } }]\n${STORAGE}\n`);

  expect(read).toMatchObject({ config: { repositories: [{ settings: { timeoutMs: { plan: ms } } }] } });
});

test.each(['59s', '25h', '2 hours', '90', '0m'])('%s is no timeout, and what is says so', (timeout) => {
  const read = readServerConfig(`repositories:\n  - match: acme/*\n    timeout: { apply: ${timeout} }\n${STORAGE}\n`);

  const found = timeout === '90' ? '90' : `"${timeout}"`;
  expect(linesOf(read)).toEqual([
    `3:16 repositories[0].timeout.apply: expected a duration from 1m to 24h, found ${found}; write it like 90m or 2h`,
  ]);
});

test.each([
  ['infra', 'expected a repository as "owner/name"; "*" stands for any part of the name, found "infra"'],
  ['"*/modules"', 'expected a repository as "owner/name"; "*" stands for any part of the name, found "*/modules"'],
  [
    'other/modules',
    'expected a repository of "acme", found "other/modules": a token of the App reads the repositories of one owner',
  ],
])('modules from %s are refused, and the problem says why', (from, problem) => {
  const read = readServerConfig(`repositories:\n  - match: acme/*\n    modules_from: [${from}]\n${STORAGE}\n`);

  expect(linesOf(read).join('\n')).toContain(`3:20 repositories[0].modules_from[0]: ${problem}`);
});

test('the first entry that names repositories for modules counts, for all that match it', () => {
  const read = readServerConfig(
    `repositories: [{ match: acme/a }, { match: acme/*, modules_from: [acme/x] }, { match: "*/*", modules_from: [acme/y] }]\n${STORAGE}\n`,
  );

  if (read.kind !== 'ok') throw new Error(linesOf(read).join());
  expect(policyFor(read.config, 'acme/a')?.modulesFrom).toEqual(['acme/x']);
  expect(policyFor(read.config, 'b/b')?.modulesFrom).toEqual(['acme/y']);
});

test('a step is a word, or a mapping with what it needs', () => {
  const read = readServerConfig(COMPLETE);

  expect(read.kind === 'ok' && read.config.workflows.get('with-hook')).toEqual({
    plan: [
      { kind: 'env', name: 'TF_VAR_build', run: 'git rev-parse HEAD' },
      { kind: 'env', name: 'TF_VAR_stage', value: '' },
      { kind: 'init', extraArgs: ['-backend-config=path=x'] },
      { kind: 'plan', extraArgs: ['-var-file=env.tfvars'] },
    ],
    apply: [
      { kind: 'apply', extraArgs: [] },
      { kind: 'run', run: './notify.sh' },
    ],
  });
});

test('what is not set has its default', () => {
  const read = readServerConfig(`repositories: [{ match: acme/* }]\n${STORAGE}\n`);

  expect(read.kind === 'ok' && read.config).toEqual({
    repositories: [{ match: 'acme/*', settings: {}, roots: [] }],
    workflows: new Map([
      [
        'standard',
        {
          plan: [
            { kind: 'init', extraArgs: [] },
            { kind: 'plan', extraArgs: [] },
          ],
          apply: [{ kind: 'apply', extraArgs: [] }],
        },
      ],
    ]),
    ...{ policies: [], windows: [], budgets: [], waves: [], pools: [], protectionRules: [] },
    terraform: {
      distribution: 'terraform',
      downloads: true,
      ...{ envAllow: [], envAllowPlan: [], envAllowApply: [], envAllowPreview: [] },
      traces: false,
      volatileAttributes: [],
      sandbox: 'bubblewrap',
      ...{
        sandboxRead: [],
        sandboxWrite: [],
        sharedState: [],
        sandboxProcesses: 4096,
        sandboxFileBytes: 20e9,
        treeBytes: 5e9,
      },
      network: 'host',
      reachable: 'warn',
    },
    storage: { deployments: 'file:/d', plans: 'file:/p', logs: 'file:/l', s3: { pathStyle: false }, gs: {}, az: {} },
    retention: { previewsMs: 2_592_000_000 },
    audit: { to: [], required: false, sns: {}, pubsub: {} },
    notifications: [],
    console: { people: new Map(), tokens: [], operators: [] },
    commentNames: ['nereid'],
    verifyPresses: false,
    workflowRouting: 'automatic',
    commandBots: [],
  });
});

test.each([
  ['https://mirror.example/terraform', []],
  ['http://127.0.0.1:8080', []],
  ['http://[::1]/terraform', []],
  ['http://localhost', []],
  ['http://mirror.example', [expect.stringContaining('expected an https URL, or an http URL of this machine')]],
  ['http://localhost.example', [expect.stringContaining('serve the mirror with TLS')]],
  ['http://127.0.0.1.example', [expect.stringContaining('serve the mirror with TLS')]],
])('programs come from a mirror that nobody can pose as: %s', (mirror, lines) => {
  const read = readServerConfig(`repositories: [{ match: acme/* }]
storage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }
terraform: { mirror: "${mirror}" }
`);

  expect(linesOf(read)).toEqual(lines);
});

test('a file that is wrong has every problem reported at once, in its order', () => {
  const read = readServerConfig(`repositories:
  - match: acme
    plan_reveiw: auto
    roots: { "../a": {} }
  - match: "!acme/x"
    permissions: { confirm: { permission: owner, teams: [sre] }, aproove: {} }
workflows:
  w:
    plan: [int, { run: 5 }, { rnu: x }, { env: { name: A-B, run: x } }, { env: { name: A, run: x, value: y } }]
    apply: apply
terraform: { version: 1.11, downloads: yes, parallel_runs: 0, mirror: "ftp://x", sandbox: no, sandbox_read: [state, /, /a/../b] }
storage: { deployments: "gc://x", plans: "file:relative", extra: 1 }
audit: { required: "no" }
comment_name: [nereid, "two words"]
command_bots: [renovate]
`);

  expect(linesOf(read)).toEqual([
    '2:5 repositories[0].match: expected a repository as "owner/name"; "*" stands for any part of either, found "acme"',
    '3:5 repositories[0].plan_reveiw: expected a known key, found "plan_reveiw"; did you mean "plan_review"?',
    '4:14 repositories[0].roots."../a": expected a directory from the top of the repository ("*" stands for any part of a name, "**" for any directories), or "name:" and the name of a root, found "../a"',
    '5:5 repositories[1].match: expected a repository as "owner/name"; "*" stands for any part of either, found "!acme/x"',
    '6:31 repositories[1].permissions.confirm.permission: expected one of "write", "maintain", "admin", found "owner"',
    '6:58 repositories[1].permissions.confirm.teams[0]: expected a team as "organisation/slug", found "sre"',
    '6:66 repositories[1].permissions.aproove: expected a known key, found "aproove"; known keys are confirm, reject, extend, unlock, rerun, cancel, plan, apply, apply_force, force_unlock, stop, thaw, skip_soak',
    '9:12 workflows.w.plan[0]: expected a step: init, plan, apply, { plan: { extra_args: […] } }, { run: "…" } or { env: { name, run or value } } (did you mean "init"?), found "int"',
    '9:19 workflows.w.plan[1].run: expected a command for the shell, found 5',
    '9:29 workflows.w.plan[2]: expected a step: init, plan, apply, { plan: { extra_args: […] } }, { run: "…" } or { env: { name, run or value } }, found a mapping',
    '9:50 workflows.w.plan[3].env.name: expected the name of an environment variable, but none of the loader or the shell, found "A-B"',
    '9:75 workflows.w.plan[4].env: expected either { name, run } or { name, value }, found a mapping',
    '10:5 workflows.w.apply: expected a list, found "apply"',
    '11:14 terraform.version: expected an exact version in quotes, like "1.11.4", found 1.11',
    '11:29 terraform.downloads: expected true or false, found "yes"',
    '11:45 terraform.parallel_runs: expected at least 1, found 0',
    '11:63 terraform.mirror: expected an http or https URL without a query, found "ftp://x"',
    '11:82 terraform.sandbox: expected one of "bubblewrap", "none", found "no"',
    '11:110 terraform.sandbox_read[0]: expected an absolute path of a file or folder, without "..", found "state"',
    '11:117 terraform.sandbox_read[1]: expected an absolute path of a file or folder, without "..", found "/"',
    '11:120 terraform.sandbox_read[2]: expected an absolute path of a file or folder, without "..", found "/a/../b"',
    '12:1 storage.logs: expected "s3://bucket/prefix", "gs://bucket/prefix", "az://account/container/prefix" or "file:/absolute/path", found nothing; add it',
    '12:12 storage.deployments: expected "s3://bucket/prefix", "gs://bucket/prefix", "az://account/container/prefix" or "file:/absolute/path", found "gc://x"',
    '12:35 storage.plans: expected "s3://bucket/prefix", "gs://bucket/prefix", "az://account/container/prefix" or "file:/absolute/path", found "file:relative"',
    '12:59 storage.extra: expected a known key, found "extra"; known keys are deployments, plans, logs, s3, gs, az',
    '13:1 audit.to: expected "sns:<topic arn>", "pubsub:projects/<project>/topics/<topic>", "file:/absolute/path", or a list of places, found nothing; add it',
    '13:10 audit.required: expected true or false, found "no"',
    '14:24 comment_name[1]: expected a word of letters, digits and "-" with which comments begin, found "two words"',
    '15:16 command_bots[0]: expected the login of a bot, like "renovate[bot]", found "renovate"',
  ]);
});

test('what the rules find is reported with what the schema finds', () => {
  const read = readServerConfig(`repositories:
  - { match: acme/a, plan_review: autos, workflow: unknown }
  - { match: acme/b, colour: red, roots: { prod: { queue: 5, workflow: other } } }
  - { match: ACME/a, branch: 5 }
workflows:
  w: { plan: [init, plan, apply], apply: [aply], extra: 1 }
  x: { plan: apply, apply: [{ run: y }] }
${STORAGE}
`);

  expect(linesOf(read)).toEqual([
    expect.stringContaining('2:22 repositories[0].plan_review: '),
    expect.stringContaining('2:42 repositories[0].workflow: expected the name of a workflow, found "unknown"'),
    expect.stringContaining('3:22 repositories[1].colour: '),
    expect.stringContaining('3:52 repositories[1].roots.prod.queue: '),
    expect.stringContaining('3:62 repositories[1].roots.prod.workflow: expected the name of a workflow, found "other"'),
    expect.stringContaining('4:7 repositories[2].match: expected each match once'),
    expect.stringContaining('4:22 repositories[2].branch: '),
    '6:8 workflows.w.plan: expected no step apply in the job plan, found one; move it to apply',
    expect.stringContaining('6:43 workflows.w.apply[0]: expected a step'),
    expect.stringContaining('6:50 workflows.w.extra: '),
    expect.stringContaining('7:8 workflows.x.plan: expected a list'),
    '7:21 workflows.x.apply: expected the step apply exactly once, found it 0 times; add it',
  ]);
});

test.each([
  ['the section of workflows is none', 'workflows: [mine]', ['workflows']],
  ['it is misspelt', 'worklfows: { mine: { plan: [init, plan], apply: [apply] } }', ['worklfows']],
  ['the workflow is wrong', 'workflows: { mine: { plan: 5 } }', ['workflows.mine.apply', 'workflows.mine.plan']],
  ['its name is wrong', 'workflows: { "my own": { plan: [plan], apply: [apply] } }', ['workflows."my own"'], 'my own'],
])('a workflow is not called unknown because %s', (_title, section, paths, name = 'mine') => {
  const read = readServerConfig(`repositories: [{ match: acme/a, workflow: ${name} }]\n${section}\n${STORAGE}\n`);

  expect(read.kind === 'invalid' && read.problems.map(({ path }) => path)).toEqual(paths);
});

test('an empty file is told the least that makes it right', () => {
  const [line = ''] = linesOf(readServerConfig(''));

  expect(line).toMatch(/^1:1 expected at least .*, found an empty file; write that into it$/);
  expect(readServerConfig(/at least (.*), found/.exec(line)?.[1] ?? '')).toMatchObject({ kind: 'ok' });
});

describe('rules', () => {
  test('some repository is allowed', () => {
    expect(problemsWith('repositories: []')).toEqual([
      '1:1 repositories: expected at least one repository, found an empty list; add { match: owner/name }',
    ]);
  });

  test('an entry that can never be reached is a mistake', () => {
    expect(problemsWith('repositories: [{ match: acme/a }, { match: ACME/a }]')).toEqual([
      '1:37 repositories[1].match: expected each match once, found "ACME/a", which is repositories[0] already; merge the two',
    ]);
  });

  test('a workflow that is named exists', () => {
    expect(
      problemsWith('repositories: [{ match: acme/a, workflow: standart, roots: { x: { workflow: other } } }]'),
    ).toEqual([
      '1:33 repositories[0].workflow: expected the name of a workflow, found "standart"; did you mean "standard"?',
      '1:67 repositories[0].roots.x.workflow: expected the name of a workflow, found "other"; add it under workflows',
    ]);
  });

  test('a policy has a name of its own, and a required one has an owner', () => {
    const yaml =
      'repositories: [{ match: acme/a }]\npolicies: [{ name: p, source: p, enforce: advisory }, { name: P, source: q, enforce: required, owners: { teams: [] } }]';

    expect(problemsWith(yaml)).toEqual([
      '2:57 policies[1].name: expected each name once, found "P", which is policies[0] already; choose another one',
      expect.stringMatching(
        /policies\[1\].owners: expected somebody who may override this required policy, found nobody/,
      ),
    ]);
  });

  test('a workflow plans once in its plan and applies once in its apply', () => {
    const yaml =
      'repositories: [{ match: acme/a }]\nworkflows: { w: { plan: [init, plan, apply], apply: [{ run: x }] } }';

    expect(problemsWith(yaml)).toEqual([
      '2:19 workflows.w.plan: expected no step apply in the job plan, found one; move it to apply',
      '2:46 workflows.w.apply: expected the step apply exactly once, found it 0 times; add it',
    ]);
  });
});

function problemsWith(yaml: string): readonly string[] {
  return linesOf(readServerConfig(`${yaml}\n${STORAGE}\n`));
}

function linesOf(read: ReturnType<typeof readServerConfig>): readonly string[] {
  return read.kind === 'ok' ? [] : read.problems.map((problem) => formatProblem(problem, '').slice(1));
}
