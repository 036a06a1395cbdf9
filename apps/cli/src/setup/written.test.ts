/** What a set-up writes starts the processes: by docker-compose.yml, and by the chart. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readConfig as readConsole } from '@nereid/console/config';
import { readConfig as readGateway } from '@nereid/gateway/config';
import { readConfig as readWorker } from '@nereid/worker/config';
import { parse, parseAllDocuments } from 'yaml';
import { COMPOSE_SECRETS, CONTAINER_FILES } from './files/compose-files.ts';
import { composed } from '../testing/composed.ts';
import { aFolder, aGitHub, answersAt, filesIn, makeApp, setUpWith } from './testing.ts';

const REPOSITORY = join(import.meta.dirname, '../../../..');
const CHART = 'apps/chart/values.yaml';

type Variables = Readonly<Record<string, string>>;

const PROCESSES = { gateway: readGateway, worker: readWorker, console: readConsole } as const;
const NAMES = ['gateway', 'worker', 'console'] as const;

test('each process of docker-compose.yml accepts the environment that was written', async () => {
  const folder = await setUp();
  const { environmentOf, secrets } = composed(filesIn(folder)['environment'] ?? '');

  for (const name of NAMES) {
    const config = PROCESSES[name](environmentOf(name), false);
    expect(config.server.current().repositories).toHaveLength(1);
  }
  const missing = secrets.filter((file) => filesIn(folder)[file] === undefined);
  expect(missing).toEqual([]);
  expect(COMPOSE_SECRETS.toSorted()).toEqual(secrets.toSorted());
});

test('what the guide of identities adds to Compose gives their keys to the gateway and to control', async () => {
  const folder = await setUp();
  const { environmentOf } = composed(filesIn(folder)['environment'] ?? '');
  const guide = readFileSync(join(REPOSITORY, 'apps/docs/guides/identities.md'), 'utf8');
  const [, block = ''] = /^ *```yaml\n( *services:\n[\s\S]*?)^ *```$/m.exec(guide) ?? [];
  const { services, secrets } = parse(block.replaceAll('${NEREID_SECRETS}', folder)) as Overriding;
  const extended = (name: 'gateway' | 'worker') => {
    const { environment, secrets: mounted } = services[name];
    const files = Object.values(environment).flatMap((value) => /^\/run\/secrets\/(.*)$/.exec(value)?.[1] ?? []);
    expect(mounted).toEqual(files);
    const placed = Object.entries(environment).map(([key, value]) => {
      return [key, secrets[value.replace('/run/secrets/', '')]?.file ?? value] as const;
    });
    return { ...environmentOf(name), ...Object.fromEntries(placed) };
  };

  expect(Object.keys(services)).toEqual(['gateway', 'worker']);
  expect(readGateway(extended('gateway'), false).issuer).toMatchObject({ url: 'https://nereid.example.org' });
  expect(readWorker(extended('worker'), false).issuer).toMatchObject({ url: 'https://nereid.example.org' });
});

/** `docker-compose.override.yml`, as far as the guide has people write it. */
interface Overriding {
  readonly services: Record<
    'gateway' | 'worker',
    { readonly environment: Variables; readonly secrets: readonly string[] }
  >;
  readonly secrets: Readonly<Partial<Record<string, { readonly file: string }>>>;
}

test('containers may read all keys, also those that only guides have people mount, but not the one that makes certificates', async () => {
  const folder = await setUp();

  const keys = Object.keys(filesIn(folder)).filter((name) => /-key$|\.pem$/.test(name));

  expect(keys.filter((name) => !CONTAINER_FILES.includes(name))).toEqual(['temporal-ca-key.pem']);
});

test('people can log in to that console with GitHub, and links lead to it', async () => {
  const folder = await setUp();
  const { environmentOf } = composed(filesIn(folder)['environment'] ?? '');

  const { login, access } = readConsole(environmentOf('console'), false);
  const { links, github } = readWorker(environmentOf('worker'), false);

  expect([login.url, login.githubSecret?.reveal(), access.kind]).toEqual([
    'https://nereid.example.org',
    filesIn(folder)['github-client-secret']?.trim(),
    'login',
  ]);
  expect(links.consoleUrl).toBe('https://nereid.example.org');
  expect([github.app?.id, github.app?.privateKey.reveal().trim()]).toEqual([
    (JSON.parse(filesIn(folder)['github-app.json'] ?? '') as { id: number }).id,
    filesIn(folder)['github-app-private-key']?.trim(),
  ]);
});

test('each process of the chart accepts its Secret, which has what the chart mounts, with the keys of roots’ identities, and nothing else', async () => {
  const folder = await setUp('--for', 'kubernetes', '--storage', 's3://acme-nereid/nereid');
  const secrets = new Map(secretsIn(folder).map(({ metadata, stringData }) => [metadata.name, stringData]));
  const values = parse(filesIn(folder)['values.yaml'] ?? '') as Partial<ChartValues>;
  const chart = parse(readFileSync(join(REPOSITORY, CHART), 'utf8')) as ChartValues;

  for (const [name, part] of Object.entries(PARTS)) {
    const mounted = { ...chart[part].secretFiles, ...values[part]?.secretFiles, ...ofIdentities(part) };
    const files = secrets.get(name) ?? {};
    const ofTemporal = /^temporal-(ca|client-(gateway|worker|console)(-key)?)\.pem$/;
    expect([
      name,
      Object.keys(files)
        .filter((file) => !ofTemporal.test(file))
        .toSorted(),
    ]).toEqual([name, [...new Set(Object.values(mounted))].toSorted()]);
    expect(Object.keys(files).filter((file) => ofTemporal.test(file))).toHaveLength(3);
    const all = filesIn(folder);
    expect(Object.entries(files).filter(([file, text]) => all[file] !== text)).toEqual([]);
  }
  expect(values).toMatchObject({
    console: { url: 'https://nereid.example.org' },
    hosts: { installSeccompProfile: true },
    serverFile: {
      content: {
        repositories: [{ match: 'acme/*', plan_review: 'required' }],
        storage: { plans: 's3://acme-nereid/nereid/plans' },
      },
    },
  });
});

test('the server’s file begins as the sample does', async () => {
  const folder = await setUp();
  const sample = parse(readFileSync(join(REPOSITORY, '.config/production/nereid.server.yaml'), 'utf8')) as object;

  const { console: _login, ...others } = parse(filesIn(folder)['nereid.server.yaml'] ?? '') as { console: unknown };

  expect(others).toEqual(sample);
});

async function setUp(...more: readonly string[]): Promise<string> {
  const [github, folder] = [await aGitHub(), aFolder()];
  const ended = await setUpWith([folder, ...answersAt(github), ...more], makeApp);
  expect(ended).toMatchObject({ status: 0 });
  return folder;
}

/** The part of the chart's values for each Secret. */
const PARTS = {
  'nereid-gateway': 'gateway',
  'nereid-console': 'console',
  'nereid-control': 'control',
  'nereid-host-default': 'hosts',
} as const;

/** What `identities.issuer` adds, by the chart’s templates. */
function ofIdentities(part: string): Variables {
  const template = IDENTITY_TEMPLATES[part];
  if (template === undefined) return {};
  const text = readFileSync(join(REPOSITORY, 'apps/chart/templates', template), 'utf8');
  const [, variable, file] = /if \.Values\.identities\.issuer[\s\S]*?secretFiles "(\w+)" "([^"]+)"/.exec(text) ?? [];
  if (variable === undefined || file === undefined) throw new Error(`expected a key of identities in ${template}`);
  return { [variable]: file };
}

const IDENTITY_TEMPLATES: Partial<Variables> = { gateway: 'gateway/gateway.yaml', control: 'worker/control.yaml' };

type ChartValues = Record<(typeof PARTS)[keyof typeof PARTS], { readonly secretFiles?: Variables }>;

interface SecretManifest {
  readonly metadata: { readonly name: string };
  readonly stringData: Variables;
}

function secretsIn(folder: string): readonly SecretManifest[] {
  const documents = parseAllDocuments(filesIn(folder)['secrets.yaml'] ?? '');
  return documents.map((document) => document.toJS() as SecretManifest);
}
