/** What can be said of the Helm chart without Helm; `make test-production` renders it. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { readServerConfig } from '@nereid/config';
import { runCommand } from '@nereid/subprocess';
import { Ajv, type ValidateFunction } from 'ajv';
import { readdir } from 'node:fs/promises';
import { isMap, isScalar, parse, parseDocument, stringify, type Pair } from 'yaml';
import { parseDockerfile } from '../dockerfile.ts';
import { DOCKERFILE } from '../images/image-folder.ts';
import { REPOSITORY, readRepositoryFile } from '../../repository.ts';
import { folderOfEachTest } from '../../testing/folders.ts';
import { readersOfVariables, withoutFile } from '../variables.ts';
import {
  CHART,
  EXAMPLE_FILES,
  isMapping,
  mergeValues,
  readTemplates,
  readValues,
  secretFiles,
  type Values,
} from './chart-files.ts';

const PROCESSES = ['gateway', 'console', 'control', 'hosts'] as const;

/** Of Temporal's and Google's own libraries, of Node, git and Terraform. */
const VARIABLES_OF_OTHERS = [
  'TEMPORAL_TLS',
  'GOOGLE_APPLICATION_CREDENTIALS',
  ...['NODE_USE_ENV_PROXY', 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'GIT_SSL_CAINFO'],
];

let schema: Schema;
let isValid: ValidateFunction;
let defaults: Values;

beforeAll(async () => {
  schema = JSON.parse(await readRepositoryFile(`${CHART}/values.schema.json`)) as Schema;
  // Compiling it checks that it is a schema, without keywords that a validator would pass over.
  isValid = new Ajv({ strict: true, strictRequired: false, allowUnionTypes: true, allErrors: true }).compile(schema);
  defaults = await readValues();
});

describe('the values', () => {
  test.each(EXAMPLE_FILES)('the values of %s are what the schema allows', async (file) => {
    isValid(mergeValues(defaults, await readValues(file)));

    expect(isValid.errors ?? []).toEqual([]);
  });

  test('without an example lack only what has no default', () => {
    isValid(defaults);

    expect(isValid.errors?.map(({ instancePath }) => instancePath)).toEqual([
      '/image/registry',
      '/github/appId',
      '/console/url',
    ]);
  });

  test.each([
    ['at the top', { gatewy: {} }],
    ['in a part', { gateway: { replica: 2 } }],
    ['in a pool', { hosts: { pools: [{ name: 'prod', replica: 2 }] } }],
  ])('that nobody knows are refused %s', async (_where, wrong) => {
    const valid = mergeValues(defaults, await readValues(EXAMPLE_FILES[0]));

    expect(isValid(mergeValues(valid, wrong))).toBe(false);
  });

  test('are described by the same words for readers and for editors', async () => {
    const { contents } = parseDocument(await readRepositoryFile(`${CHART}/values.yaml`));
    if (!isMap(contents)) throw new Error('expected a mapping');

    const commented = contents.items.flatMap((pair) => commentsOf(pair as Pair, []));

    expect(commented.length).toBeGreaterThan(80);
    expect(commented).toEqual(commented.map(([name]) => [name, descriptionOf(schema, name.split('.'))]));
  });
});

test.each(EXAMPLE_FILES)('the processes accept the server’s file of %s', async (file) => {
  const { serverFile } = await readValues(file);
  const content = isMapping(serverFile) ? serverFile['content'] : undefined;
  // One names the ConfigMap of another release.
  if (content === undefined) return;

  const read = readServerConfig(stringify(content));

  expect(read).toMatchObject({ kind: 'ok' });
  const { login, operators = [] } = read.kind === 'ok' ? read.config.console : {};
  // Where people log in, some of them may drain hosts and ask the doctor.
  expect(operators.length > 0).toBe(login !== undefined);
});

test.each(EXAMPLE_FILES)('each Ingress of %s speaks TLS, as its class takes it', async (file) => {
  const { gateway, console } = mergeValues(await readValues(), await readValues(file)) as Record<string, WithIngress>;

  for (const { enabled, className, tlsSecret, annotations } of [gateway, console].flatMap(
    (each) => each?.ingress ?? [],
  )) {
    if (!enabled) continue;
    if (className === 'alb') {
      // It reads no Secret, and listens at port 80 alone unless it is told otherwise.
      expect(tlsSecret).toBe('');
      expect(JSON.parse(annotations['alb.ingress.kubernetes.io/listen-ports'] ?? '[]')).toEqual([{ HTTPS: 443 }]);
      expect(annotations['alb.ingress.kubernetes.io/certificate-arn']).toMatch(/^arn:aws:acm:/);
    } else expect(tlsSecret).toMatch(/./);
  }
});

test.each(EXAMPLE_FILES)(
  'hosts of %s find their profile on each node, without which no pod of theirs starts',
  async (file) => {
    const { hosts } = mergeValues(await readValues(), await readValues(file));

    const { pools, installSeccompProfile } = hosts as {
      readonly pools: unknown[];
      readonly installSeccompProfile: boolean;
    };
    expect(installSeccompProfile).toBe(pools.length > 0);
  },
);

test.each([
  ['aws', 's3'],
  ['google', 'gs'],
  ['azure', 'az'],
])('the example of %s keeps objects in its own cloud, which pods reach without keys', async (cloud, scheme) => {
  const values = await readValues(`apps/chart/examples/${cloud}.yaml`);

  expect(values).toMatchObject({
    workloadIdentity: { provider: cloud },
    console: { workloadIdentity: expect.any(String) },
    control: { workloadIdentity: expect.any(String) },
    serverFile: { content: { storage: { plans: expect.stringMatching(`^${scheme}://`) } } },
  });
  expect(JSON.stringify(values)).not.toMatch(/nereid-storage|GOOGLE_APPLICATION_CREDENTIALS|sandbox_read/);
});

test('a variable that a template sets is one that the processes read', async () => {
  const templates = await readTemplates();
  const listed = await readersOfVariables();

  const entries = Array.from(templates.matchAll(/name: ([A-Z][A-Z0-9_]+)\b(?!_FILE)/g), ([, name]) => name ?? '');
  const lists = Array.from(templates.matchAll(/"([A-Z][A-Z0-9]*_[A-Z0-9_]+|POOL)"/g), ([, name]) => name ?? '');
  const files = (await Promise.all(PROCESSES.map((name) => secretFiles(name)))).flatMap((each) => Object.keys(each));
  expect(entries.length).toBeGreaterThan(15);
  expect(lists.length).toBeGreaterThan(5);
  const ours = [...entries, ...lists, ...files].filter((name) => !VARIABLES_OF_OTHERS.includes(name));
  expect(ours.map(withoutFile).filter((name) => !listed.has(name))).toEqual([]);
});

describe('a Secret', () => {
  const folder = folderOfEachTest();

  test('takes the files that `nereid keys` makes, under their names', async () => {
    const argv = [process.execPath, 'packages/config/bin/nereid.js', 'keys', folder] as const;
    const result = await runCommand({ argv, env: {}, cwd: REPOSITORY, timeoutMs: 60_000 });
    const made = await readdir(folder);

    expect(result).toMatchObject({ kind: 'exited', exitCode: 0 });
    const read = (await Promise.all(PROCESSES.map((name) => secretFiles(name)))).flatMap((each) => Object.values(each));
    expect([...new Set(read)].filter((file) => !made.includes(file)).toSorted()).toEqual([
      'github-app-private-key',
      'github-webhook-secret',
    ]);
  });

  test.each([
    ['gateway', 'gateway', 'gateway'],
    ['console', 'console', 'console'],
    ['control', 'control', 'worker'],
    ['hosts', 'host-default', 'worker'],
  ] as const)('the guide makes the Secret of %s of exactly the files that are read', async (name, secret, client) => {
    const guide = await readRepositoryFile('apps/docs/guides/by-hand.md');
    const [, command = ''] =
      new RegExp(`create secret generic nereid-${secret}((?:[^\n]*\\\\\n)*[^\n]*)`).exec(guide) ?? [];

    const given = Array.from(command.matchAll(/--from-file=(\S+)/g), ([, file]) => file ?? '');

    const ofTemporal = ['temporal-ca.pem', `temporal-client-${client}.pem`, `temporal-client-${client}-key.pem`];
    expect(given.toSorted()).toEqual([...Object.values(await secretFiles(name)), ...ofTemporal].toSorted());
  });

  test('of hosts has nothing that only control holds', async () => {
    const [control, hosts] = [Object.keys(await secretFiles('control')), Object.keys(await secretFiles('hosts'))];

    expect(control.filter((variable) => hosts.includes(variable))).toEqual([]);
  });
});

test('images, ports, user and folder are those of the Dockerfile', async () => {
  const stages = parseDockerfile(await readRepositoryFile(DOCKERFILE));
  const templates = await readTemplates();

  for (const name of ['gateway', 'console']) {
    const port = stages.get(name)?.instructions.find(({ verb }) => verb === 'EXPOSE')?.rest ?? '';
    expect(templates).toMatch(new RegExp(`"component" "${name}" "name" .* "port" ${port} `));
    expect(templates).toContain(`ports: [{ protocol: TCP, port: ${port} }]`);
  }
  const volume = stages.get('worker')?.instructions.find(({ verb }) => verb === 'VOLUME')?.rest ?? '';
  expect(templates).toContain(`{ name: data, mountPath: ${volume} }`);
  for (const name of ['gateway', 'console', 'worker'])
    expect(stages.get(name)?.instructions).toContainEqual({ verb: 'USER', rest: '1000:1000' });
  expect(templates.match(/runAsUser: \d+/g)).toEqual(expect.arrayContaining(['runAsUser: 1000']));
  const { services } = parse(await readRepositoryFile('docker-compose.yml'), { merge: true }) as {
    readonly services: Readonly<Record<string, { readonly image: string }>>;
  };
  const images = ['gateway', 'console', 'worker'].map((name) => services[name]?.image);
  expect(images).toEqual(['nereid-gateway', 'nereid-console', 'nereid-worker']);
  expect(templates).toContain('"%s/nereid-%s"');
});

test('the seccomp profile is that of the Compose file', async () => {
  const profile = '.config/production/worker-seccomp.json';

  expect(await readRepositoryFile(`${CHART}/files/worker-seccomp.json`)).toBe(await readRepositoryFile(profile));
});

interface WithIngress {
  readonly ingress: {
    readonly enabled: boolean;
    readonly className: string;
    readonly tlsSecret: string;
    readonly annotations: Readonly<Record<string, string>>;
  };
}

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** What stands above each value, by its path. */
function commentsOf({ key, value }: Pair, above: readonly string[]): readonly (readonly [string, string])[] {
  if (!isScalar(key)) return [];
  const place = [...above, String(key.value)];
  const comment = key.commentBefore?.split('\n').map((line) => line.trim());
  const own = comment ? [[place.join('.'), comment.join(' ')] as const] : [];
  return [...own, ...(isMap(value) ? value.items.flatMap((pair) => commentsOf(pair, place)) : [])];
}

function descriptionOf({ description, properties }: Schema, [name, ...below]: readonly string[]): string | undefined {
  if (name === undefined) return description;
  const found = properties?.[name];
  return found && descriptionOf(found, below);
}
