import { beforeAll, expect, test } from '@jest/globals';
import { hostGraceMs, readServerConfig } from '@nereid/config';
import { TEMPORAL_SERVER } from '@nereid/temporal/versions';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { repositoryFiles } from '../tidy/repository-files.ts';
import { fixedSecrets, readCompose, type Compose, type Service } from './compose.ts';
import { parseDockerfile } from './dockerfile.ts';
import { DOCKERFILE } from './images/image-folder.ts';
import { REPOSITORY, readRepositoryFile } from '../repository.ts';
import { readersOfVariables } from './variables.ts';

const TEMPORAL_CLIENTS = ['gateway', 'worker', 'console', 'temporal-ui'] as const;

let compose: Compose;
let services: readonly (readonly [string, Service])[];

beforeAll(async () => {
  // The first test checks that the file has the shape of the specification, and so of this type.
  compose = await readCompose();
  services = Object.entries(compose.services);
});

test('the file is one of the Compose specification', async () => {
  const schema: unknown = JSON.parse(
    await readFile(path.join(import.meta.dirname, 'fixtures/compose-spec.json'), 'utf8'),
  );
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  // The default export of a CommonJS module, which its types do not know as such.
  (ajvFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  // The schema of a JSON file that is in the repository.
  const isCompose = ajv.compile(schema as object);

  isCompose(compose);

  expect(isCompose.errors ?? []).toEqual([]);
});

test('a service is healthy, or done, before what needs it starts', () => {
  const waits = services.flatMap(([, { depends_on: needed = {} }]) => Object.entries(needed));

  for (const [name, { condition }] of waits) {
    const isJob = condition === 'service_completed_successfully';
    expect([name, condition]).toEqual([name, isJob ? condition : 'service_healthy']);
    // Images of ours have their own.
    const { build, healthcheck } = compose.services[name] ?? {};
    if (build === undefined) expect([name, healthcheck !== undefined]).toEqual([name, !isJob]);
  }
});

test('nothing is written into a container, but into its volumes and its memory', () => {
  const ours = services.filter(([, { build }]) => build !== undefined);

  expect(ours.map(([name, { read_only: isReadOnly }]) => [name, isReadOnly])).toEqual([
    ['temporal-namespace', true],
    ['gateway', true],
    ['worker', true],
    ['console', true],
  ]);
});

test('what stands in a secret is given as a file, and only to who reads it', () => {
  const given = services.map(([name, service]) => [
    name,
    fixedSecrets(service).toSorted(),
    [...secretFiles(service.environment ?? {})].sort(),
  ]);

  // Its password is read by its command.
  const others = given.filter(([name]) => name !== 'temporal');
  for (const [name, secrets, read] of others) expect([name, read]).toEqual([name, secrets]);
  const all = services.flatMap(([, { secrets = [] }]) => secrets);
  const names = all.map((secret) => (typeof secret === 'string' ? secret : secret.source));
  expect(new Set(names)).toEqual(new Set(Object.keys(compose.secrets)));
});

test.each(['github-client-secret', 'oidc-client-secret'])(
  'the console reads %s from the file of the operator, at the same path, and from nowhere where there is none',
  (name) => {
    const { environment = {}, secrets = [] } = compose.services['console'] ?? {};
    const variable = `${name.toUpperCase().replaceAll('-', '_')}_FILE`;

    expect(environment).toMatchObject({ [variable]: null });
    expect(secrets).toContainEqual({ source: name, target: `\${${variable}:-/run/secrets/${name}}` });
    expect(compose.secrets[name]).toEqual({ file: `\${${variable}:-/dev/null}` });
  },
);

test('the worker is given a minute more than it takes to stop what runs', async () => {
  const { environment, stop_grace_period: period } = compose.services['worker'] ?? {};
  const read = readServerConfig(await readRepositoryFile('.config/production/nereid.server.yaml'));

  // Whoever sets the one for a longer timeout need not set the other.
  expect(environment?.['SHUTDOWN_GRACE']).toBeNull();
  const graceMs = read.kind === 'ok' ? hostGraceMs(read.config) : 0;
  expect(period).toBe(`\${WORKER_STOP_GRACE:-${graceMs / 60_000 + 1}m}`);
});

test('the container of the worker is given what sandboxes need, and no other is', () => {
  const open = services.filter(([, { security_opt: options = [] }]) =>
    options.some((option) => /unconfined|seccomp/.test(option)),
  );

  expect(open.map(([name, { security_opt: options }]) => [name, options])).toEqual([
    [
      'worker',
      [
        'no-new-privileges:true',
        'seccomp:.config/production/worker-seccomp.json',
        'apparmor:unconfined',
        'systempaths=unconfined',
      ],
    ],
  ]);
});

test('the gateway is given neither the key of the App nor a disk', () => {
  const { secrets, volumes } = compose.services['gateway'] ?? {};

  expect({ secrets, volumes }).toEqual({
    secrets: [
      'github-webhook-secret',
      'gateway-key.pem',
      'temporal-ca.pem',
      'temporal-client-gateway.pem',
      'temporal-client-gateway-key.pem',
    ],
    volumes: undefined,
  });
});

test('Temporal answers only who has a certificate, and each client has one of its own', () => {
  const { environment = {}, ports } = compose.services['temporal'] ?? {};

  expect({ asks: environment['TEMPORAL_TLS_REQUIRE_CLIENT_AUTH'], ports }).toEqual({ asks: 'true', ports: undefined });
  for (const name of TEMPORAL_CLIENTS)
    expect(compose.services[name]?.secrets).toEqual(
      expect.arrayContaining([`temporal-client-${name}.pem`, `temporal-client-${name}-key.pem`]),
    );
  const holders = services.filter(([, { secrets = [] }]) => fixedSecrets({ secrets }).includes('temporal-ca-key.pem'));
  expect(holders).toEqual([]);
});

test('nothing is open to other machines, unless the operator says where the gateway is', () => {
  const published = services.flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]));

  expect(published).toEqual([
    ['temporal-ui', '127.0.0.1:8233:8080'],
    ['gateway', '${GATEWAY_PUBLISHED:-127.0.0.1:4143}:4143'],
    ['console', '127.0.0.1:4144:4144'],
  ]);
});

test("Temporal's UI, which checks no Host, is there only when it is asked for, and pages link to it only then", async () => {
  const policy = readServerConfig(await readRepositoryFile('.config/production/nereid.server.yaml'));

  expect(compose.services['temporal-ui']?.profiles).toEqual(['temporal-ui']);
  expect(policy).not.toMatchObject({ config: { console: { temporalUi: expect.anything() as unknown } } });
});

test.each([
  ['postgres', ['temporal', 'temporal-schema']],
  ['temporal', ['console', 'gateway', 'postgres', 'temporal-namespace', 'temporal-schema', 'temporal-ui', 'worker']],
  ['gateway', ['temporal', 'tunnel']],
  ['worker', ['temporal', 'temporal-namespace']],
  ['console', ['temporal']],
  ['temporal-ui', ['temporal']],
  ['tunnel', ['gateway']],
])('the network of %s has only those services that talk to it', (name, expected) => {
  const { networks = [] } = compose.services[name] ?? {};
  const peers = services.filter(
    ([peer, service]) => peer !== name && networks.some((each) => service.networks.includes(each)),
  );

  expect(peers.map(([peer]) => peer).toSorted()).toEqual(expected);
});

test('the database has no way to the internet', () => {
  for (const name of ['postgres', 'temporal-schema']) {
    const open = compose.services[name]?.networks.filter((each) => compose.networks[each]?.internal !== true);
    expect([name, open]).toEqual([name, []]);
  }
});

test('every container has a limit of memory and of processes', () => {
  const without = services.filter(([, { mem_limit: memory, pids_limit: processes }]) => !memory || !processes);

  expect(without.map(([name]) => name)).toEqual([]);
});

test("Temporal's UI or a tunnel is only there when it is asked for", () => {
  const optional = services.flatMap(([name, { profiles }]) => (profiles ? [[name, profiles]] : []));

  expect(optional).toEqual([
    ['temporal-ui', ['temporal-ui']],
    ['tunnel', ['tunnel']],
  ]);
});

test('every image of others is named by version and digest', () => {
  const foreign = services.filter(([, { build }]) => build === undefined).map(([, { image }]) => image);

  for (const image of foreign) expect(image).toMatch(/:v?\d+\.\d+[^@]*@sha256:[0-9a-f]{64}$/);
});

test('one Temporal server everywhere: that of the tests is that of the images and of the guides', async () => {
  const files = await repositoryFiles();
  const named = files.flatMap((file) =>
    Array.from(file.text.matchAll(IMAGE_OF_TEMPORAL), ([, version]) => `${file.path}: ${version ?? ''}`),
  );

  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((one) => !one.endsWith(`: ${TEMPORAL_SERVER}`))).toEqual([]);
});

const IMAGE_OF_TEMPORAL = /temporalio\/(?:server|admin-tools):(\d[\w.-]*)/g;

test('every image of ours is a target of the Dockerfile', async () => {
  const stages = parseDockerfile(await readRepositoryFile(DOCKERFILE));

  for (const [name, { build }] of services) {
    if (build) expect([name, build.dockerfile, stages.has(build.target)]).toEqual([name, DOCKERFILE, true]);
  }
});

test('every file that is mounted or named is in the repository', async () => {
  const mounts = services.flatMap(([, { volumes = [] }]) => volumes.map((volume) => volume.split(':')[0] ?? ''));

  const profiles = services.flatMap(([, { security_opt: options = [] }]) =>
    options.flatMap((option) => /^seccomp:(.*)/.exec(option)?.[1] ?? []),
  );

  for (const profile of profiles) await access(path.join(REPOSITORY, profile));
  for (const source of mounts) {
    if (source.startsWith('.')) await access(path.join(REPOSITORY, source));
    else expect(Object.keys(compose.volumes)).toContain(source);
  }
});

test('a variable that is set is one of ours, of Temporal or of AWS', async () => {
  const listed = await readersOfVariables();

  for (const name of ['gateway', 'worker', 'console']) {
    const variables = Object.keys(compose.services[name]?.environment ?? {}).filter((each) => !each.startsWith('AWS_'));
    for (const variable of variables) expect([...listed.keys()]).toContain(variable.replace(/_FILE$/, ''));
  }
});

test('the policy is one that the processes accept', async () => {
  const text = await readRepositoryFile('.config/production/nereid.server.yaml');

  expect(readServerConfig(text)).toMatchObject({ kind: 'ok' });
});

/** The secrets that variables name. */
function secretFiles(environment: Readonly<Record<string, string | null>>): ReadonlySet<string> {
  const values = Object.values(environment).filter((value) => value !== null);
  const paths = values.filter((value) => value.startsWith('/run/secrets/'));
  return new Set(paths.map((file) => path.basename(file)));
}
