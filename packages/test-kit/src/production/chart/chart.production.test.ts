/** The chart as Helm renders it, judged by the tools of others. */
import { describe, expect, test } from '@jest/globals';
import { hostGraceMs, readServerConfig } from '@nereid/config';
import { runCommand } from '@nereid/subprocess';
import { stringify } from 'yaml';
import { REPOSITORY } from '../../repository.ts';
import { readersOfVariables, withoutFile } from '../variables.ts';
import { CHART, EXAMPLE_FILES, mergeValues, readValues, type Values } from './chart-files.ts';
import { podsOf, render, runHelm, template, withFile, withValues } from './render.ts';
import { findKubernetesValidate, findKubeScore } from './tools.ts';

const [MINIMAL = ''] = EXAMPLE_FILES;

/** The oldest that the chart installs on, and the newest that there are schemas of. */
const KUBERNETES = ['1.33', '1.37'] as const;

/** Of resources that others bring to a cluster. */
const OF_OTHERS = [
  'ExternalSecret',
  'HTTPRoute',
  'PrometheusRule',
  'ScaledObject',
  'ServiceMonitor',
  'TriggerAuthentication',
];

/** What kube-score asks for, and why the chart does otherwise. */
const NOT_ASKED = {
  'container-image-pull-policy': 'images have a tag of a version or a digest: pulling them each time tells nothing new',
  'container-security-context-user-group-id': 'the images have the user 1000, which need not be 10000 or more',
  'networkpolicy-targets-pod': 'Temporal is no part of the chart; that each pod has a policy is tested elsewhere',
} as const;

describe.each(EXAMPLE_FILES)('with %s', (file) => {
  test('the chart is in order for Helm', async () => {
    const result = await runHelm(['lint', CHART, '--strict', '--values', file]);

    expect([result.kind, result.stdout]).toEqual(['exited', expect.stringContaining('0 chart(s) failed')]);
  });

  test.each(KUBERNETES)('Kubernetes %s knows every field', async (version) => {
    const manifests = (await render([file])).filter(({ kind }) => !OF_OTHERS.includes(kind));
    const validate = await findKubernetesValidate(process.env);

    const result = await withFile(manifests.map((each) => stringify(each)).join('---\n'), (yaml) =>
      runCommand({
        argv: [...validate, '--strict', '--quiet', '--kubernetes-version', version, yaml],
        env: {},
        cwd: REPOSITORY,
      }),
    );

    expect(manifests.length).toBeGreaterThan(5);
    expect(result).toMatchObject({ kind: 'exited', exitCode: 0, stdout: '' });
  });

  test('kube-score finds nothing critical', async () => {
    const { stdout: input } = await template([file]);
    const ignored = Object.keys(NOT_ASKED).flatMap((name) => ['--ignore-test', name]);
    const argv = [await findKubeScore(process.env), 'score', '--output-format', 'ci', ...ignored, '-'] as const;

    const { stdout } = await runCommand({ argv, input, env: {}, cwd: REPOSITORY });

    expect(stdout).toContain('[OK]');
    expect(stdout.split('\n').filter((line) => line.startsWith('[CRITICAL]'))).toEqual([]);
  });

  test('each process is given only variables that it reads', async () => {
    const readers = await readersOfVariables();

    const containers = (await render([file])).flatMap(podsOf).flatMap(({ containers }) => containers);

    for (const { name, env = [], command } of containers) {
      if (command !== undefined) continue;
      const others = env.map((each) => withoutFile(each.name)).filter((each) => readers.has(each));
      for (const variable of others) expect([variable, readers.get(variable)]).toEqual([variable, anyOf(name)]);
    }
  });
});

/** And a few minutes. */
const AN_HOUR = { hosts: { shutdownGraceMinutes: 65 } };

describe('the chart refuses', () => {
  test.each([
    ['a value that nobody knows', { gatewy: {} }, /gatewy/],
    [
      'the disk of one pod as storage',
      file({ storage: { plans: 'file:/var/lib/plans' } }),
      /found "file:\/var\/lib\/plans", the disk of one/,
    ],
    [
      'the disk of one pod for the audit trail',
      file({ audit: { to: 'file:/audit.jsonl' } }),
      /found "file:\/audit.jsonl"/,
    ],
    [
      'the disk of one pod among the places of the audit trail',
      file({ audit: { to: ['pubsub:projects/acme-prod/topics/audit', 'file:/audit.jsonl'] } }),
      /found "file:\/audit.jsonl"/,
    ],
    [
      'less grace than an apply may take',
      { ...file({ repositories: [{ match: 'a/*', timeout: { apply: '2h' } }] }), ...AN_HOUR },
      /expected at least 120 for the pool default/,
    ],
    [
      'less grace than a rule of a directory allows',
      { ...file({ repositories: [{ match: 'a/*', roots: { prod: { timeout: { apply: '90m' } } } }] }), ...AN_HOUR },
      /expected at least 90/,
    ],
    [
      'a duration that no process reads',
      file({ repositories: [{ match: 'a/*', timeout: { apply: '2 hours' } }] }),
      /expected a duration from 1m to 24h as timeout.apply, found "2 hours"/,
    ],
    [
      'hosts without what their sandboxes need',
      { hosts: { sandbox: { enabled: false } } },
      /or write terraform.sandbox: none/,
    ],
    [
      'a secret among variables',
      { hosts: { environment: { TF_VAR_PASSWORD: 'x' } } },
      /no secrets, found TF_VAR_PASSWORD/,
    ],
    [
      'a secret among variables of Kubernetes',
      { control: { extraEnvironment: [{ name: 'API_TOKEN', value: 'x' }] } },
      /control.extraEnvironment: expected variables that are no secrets, found API_TOKEN/,
    ],
    [
      'a variable that it sets itself',
      { hosts: { environment: { LOG_LEVEL: 'debug' } } },
      /hosts.environment: expected variables that the chart does not set, found LOG_LEVEL/,
    ],
    [
      'a variable of Kubernetes that it sets itself',
      { proxy: { url: 'http://p:3128' }, console: { extraEnvironment: [{ name: 'HTTPS_PROXY', value: 'x' }] } },
      /console.environment: expected variables that the chart does not set, found HTTPS_PROXY/,
    ],
    ['a pool twice', { hosts: { pools: [{ name: 'prod' }, { name: 'prod' }] } }, /each pool once, found prod twice/],
    [
      'a pool whose name is too long for Kubernetes beside that of the release',
      { fullnameOverride: 'deploys-of-the-platform-team', hosts: { pools: [{ name: 'production-in-frankfurt' }] } },
      /names of at most 18 letters beside that of the release, found production-in-frankfurt/,
    ],
    [
      'labels by which it finds its own',
      { commonLabels: { 'app.kubernetes.io/name': 'x' } },
      /invalid propertyName 'app/,
    ],
    ['a file and the name of one', { serverFile: { configMap: 'mine' } }, /found both/],
    ['a route that leads from nowhere', { gateway: { route: { enabled: true } } }, /expected a Gateway/],
    ['an entrance without a name', { gateway: { ingress: { enabled: true } } }, /expected the name that GitHub knows/],
    ['a store without a name', { externalSecrets: { enabled: true } }, /expected the name of a store/],
    [
      'several consoles, each of which may use a refresh token of OpenID Connect',
      file({ console: { login: { oidc: { issuer: 'https://acme.okta.com', client_id: 'a' } } } }),
      /expected one console, .* found 2; set 1, or .* set console.stickySessions/,
    ],
    [
      'several consoles with the secret of such a login, whose server file it cannot read',
      { console: { secretFiles: { OIDC_CLIENT_SECRET: 'oidc-client-secret' } } },
      /expected one console/,
    ],
    ['Google without its audience', { workloadIdentity: { provider: 'google' } }, /googleAudience: expected/],
  ])('the chart refuses %s', async (_what, values, words) => {
    const result = await template([MINIMAL], values);

    expect(result).toMatchObject({ kind: 'exited', exitCode: 1 });
    expect(result.stderr).toMatch(words);
  });
});

test.each([
  ['one console', { replicas: 1 }],
  ['several to which browsers are sent as before', { stickySessions: true }],
])('the chart takes, where people log in with OpenID Connect, %s', async (_what, settings) => {
  const login = file({ console: { login: { oidc: { issuer: 'https://acme.okta.com', client_id: 'a' } } } });

  expect(await template([MINIMAL], { ...login, console: settings })).toMatchObject({ kind: 'exited', exitCode: 0 });
});

describe('a host is given a minute more than it takes to stop what runs', () => {
  test('as the values say', async () => {
    expect(await graceOf({ hosts: { shutdownGraceMinutes: 90 } })).toEqual(['90m', 91 * 60]);
  });

  test.each([
    ['without a timeout', [{ match: 'a/*' }]],
    ['with one of a repository', [{ match: 'a/*', timeout: { apply: '2h' } }]],
    ['with one of a directory', [{ match: 'a/*', roots: { 'prod/**': { timeout: { apply: '90m' } } } }]],
    ...['1d', '7200s', '5400000ms', '090m'].map((apply): [string, object[]] => [
      `with one of ${apply}`,
      [{ match: 'a/*', timeout: { apply } }],
    ]),
    ['with one that a repository may set', [{ match: 'a/*', allowed_overrides: ['timeout'] }]],
  ])('or, where they say nothing, as the worker reads the server’s file: %s', async (_what, repositories) => {
    const { serverFile } = mergeValues(await readValues(MINIMAL), file({ repositories }));
    const read = readServerConfig(stringify((serverFile as Record<string, unknown>)['content']));
    if (read.kind !== 'ok') throw new Error(JSON.stringify(read.problems));

    const minutes = hostGraceMs(read.config) / 60_000;
    expect(await graceOf(file({ repositories }))).toEqual([`${minutes}m`, (minutes + 1) * 60]);
  });

  async function graceOf(values: Values) {
    const manifests = await render([MINIMAL], values);
    const [host] = manifests.filter(({ metadata }) => metadata.name === 'nereid-host-default').flatMap(podsOf);
    const grace = host?.containers[0]?.env?.find(({ name }) => name === 'SHUTDOWN_GRACE')?.value;
    return [grace, host?.terminationGracePeriodSeconds];
  }
});

test('a worker that is stopped for a while, by a scale of 0, finds its disk again', async () => {
  const workers = (await render([MINIMAL])).filter(({ kind }) => kind === 'StatefulSet');

  expect(workers).toHaveLength(2);
  for (const { spec } of workers)
    expect(spec).toMatchObject({
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
    });
});

test('a host whose profile is none has no file of one', async () => {
  const manifests = await render([MINIMAL], { hosts: { sandbox: { seccompProfile: { type: 'Unconfined' } } } });

  const [host] = manifests.filter(({ metadata }) => metadata.name === 'nereid-host-default').flatMap(podsOf);
  expect(host).toHaveProperty('securityContext.seccompProfile', { type: 'Unconfined' });
});

test.each([
  [
    'that their nodes lack a file',
    {},
    /the file nereid\/worker-seccomp.json below .*\n.* set hosts.installSeccompProfile: true/,
  ],
  ['nothing where the chart puts it there', { installSeccompProfile: true }, undefined],
  ['nothing where there are none', { pools: [] }, undefined],
])('whoever installs the chart is told of hosts %s', async (_what, hosts, words) => {
  const values = { hosts: { installSeccompProfile: false, ...hosts } };
  const result = await withValues(values, (file) =>
    runHelm(['install', 'nereid', CHART, '--dry-run=client', ...[MINIMAL, file].flatMap((each) => ['--values', each])]),
  );

  const [, notes = ''] = result.stdout.split('\nNOTES:\n');
  expect(notes).toMatch(/A pod that does not start has no log/);
  if (words) expect(notes).toMatch(words);
  else expect(notes).not.toMatch(/seccomp/);
});

test('only hosts get what sandboxes need', async () => {
  const manifests = await render([MINIMAL]);

  const open = manifests.filter((each) => /hostUsers|Unmasked|Localhost|Unconfined/.test(JSON.stringify(each)));
  expect(open.map(({ metadata }) => metadata.name)).toEqual(['nereid-host-default']);
});

test('the internet reaches the public paths of the gateway, and of the console nothing', async () => {
  const manifests = await render([MINIMAL], { gateway: { ingress: { enabled: true, host: 'hooks.example.org' } } });

  const rules = manifests.filter(({ kind }) => kind === 'Ingress').map(({ spec }) => spec);
  expect(rules).toMatchObject([
    { rules: [{ host: 'hooks.example.org', http: { paths: [{ path: '/events', pathType: 'Exact' }] } }] },
  ]);
});

test('a second release beside the first shares no name and no pod with it', async () => {
  const manifests = await render([MINIMAL]);
  const result = await runHelm(['template', 'other', CHART, '--namespace', 'nereid', '--values', MINIMAL]);

  expect(result.stdout).not.toMatch(/instance: nereid\b/);
  for (const { metadata } of manifests) expect(result.stdout).not.toMatch(new RegExp(`name: ${metadata.name}$`, 'm'));
});

/** A part of the server's file. */
function file(content: object) {
  return { serverFile: { content } };
}

function anyOf(process: string): unknown {
  return expect.stringMatching(new RegExp(`\\b(all|${process})\\b`));
}
