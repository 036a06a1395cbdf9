/** What the guides have people run in containers, and write beside docker-compose.yml. */
import { glob, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { runCommand } from '@nereid/subprocess';
import { parse } from 'yaml';
import { fixedSecrets, readCompose, type Compose } from './compose.ts';
import { IMAGES } from './images/images.ts';
import { REPOSITORY, readRepositoryFile } from '../repository.ts';
import { folderOfEachTest } from '../testing/folders.ts';
import { readersOfVariables, withoutFile } from './variables.ts';

const folder = folderOfEachTest();
const guides = await Array.fromAsync(glob('apps/docs/*/*.md', { cwd: REPOSITORY }));
const texts = await Promise.all(guides.map(async (name) => [name, await readRepositoryFile(name)] as const));

test('each program that people run with Node is in an image', () => {
  const entries = IMAGES.flatMap((image) => image.entries);
  const named = texts.flatMap(([guide, text]) =>
    Array.from(
      text.matchAll(/\bnode (?:worker \\?\s+)?((?:apps|packages|temporal)\/[\w/.-]+\.[jt]s)\b/g),
      ([, file = '']) => [guide, file],
    ),
  );

  expect(named.length).toBeGreaterThan(5);
  expect(named.filter(([, file = '']) => !entries.includes(file))).toEqual([]);
});

test('the check of the server’s file, as it is done by hand, finds a mistake', async () => {
  const guide = await readRepositoryFile('apps/docs/guides/by-hand.md');
  const [, line = ''] =
    /--entrypoint node worker \\\s+(\S+ config check) \/etc\/nereid\/nereid\.server\.yaml$/m.exec(guide) ?? [];
  const file = path.join(folder, 'nereid.server.yaml');
  await writeFile(file, 'repositories: [{ matches: acme/infra }]\n');

  const argv = [process.execPath, ...line.split(' '), file] as const;
  const result = await runCommand({ argv, env: {}, cwd: REPOSITORY, timeoutMs: 60_000 });

  expect(result).toMatchObject({ kind: 'exited', exitCode: 1, stdout: expect.stringContaining('matches') });
});

/** What Node, git and Terraform read by themselves, and none of our code. */
const OF_PROGRAMS =
  /^(TF_VAR_.*|HTTPS_PROXY|NO_PROXY|NODE_USE_ENV_PROXY|NODE_EXTRA_CA_CERTS|GIT_SSL_CAINFO|SSL_CERT_FILE)$/;

type Override = Partial<Compose>;
const overrides = texts.flatMap(([guide, text]) =>
  Array.from(text.matchAll(/^( *)```yaml\n([\s\S]*?)^\1```$/gm), ([, , block = '']) => block)
    .filter((block) => /^ *services:$/m.test(block))
    .map((block) => [guide, parse(block, { merge: true }) as Override] as const),
);

test('seven guides have an override', () => {
  expect(overrides.map(([guide]) => guide).toSorted()).toEqual([
    'apps/docs/guides/identities.md',
    'apps/docs/guides/one-machine.md',
    'apps/docs/guides/proxies.md',
    'apps/docs/guides/secrets.md',
    'apps/docs/guides/temporal.md',
    'apps/docs/operate/disasters.md',
    'apps/docs/reference/metrics.md',
  ]);
});

describe.each(overrides)('the override of %s', (_guide, { services = {}, secrets = {} }) => {
  test('is for services that are there, with variables that they read', async () => {
    const compose = await readCompose();
    const readers = await readersOfVariables();

    for (const [name, { environment = {} }] of Object.entries(services)) {
      expect(Object.keys(compose.services)).toContain(name);
      for (const variable of Object.keys(environment).filter((each) => !OF_PROGRAMS.test(each)))
        expect([variable, readers.get(withoutFile(variable))]).toEqual([
          variable,
          expect.stringMatching(new RegExp(`all|${name}`)),
        ]);
    }
  });

  test('gives secrets as files of the folder of the installation, each to who reads it', () => {
    for (const { environment = {}, secrets: mounted = [] } of Object.values(services)) {
      const read = Object.values(environment).flatMap((value) => /^\/run\/secrets\/(.+)$/.exec(value ?? '')?.[1] ?? []);
      expect(mounted).toEqual(read);
    }
    expect(secrets).toEqual(
      Object.fromEntries(Object.keys(secrets).map((name) => [name, { file: `\${NEREID_SECRETS}/${name}` }])),
    );
    const all = Object.values(services).flatMap(fixedSecrets);
    expect(Object.keys(secrets).toSorted()).toEqual([...new Set(all)].toSorted());
  });
});

test('metrics are opened to this machine alone, where Prometheus looks', async () => {
  const { services = {} } = overrides.find(([guide]) => guide === 'apps/docs/reference/metrics.md')?.[1] ?? {};
  const { scrape_configs: jobs } = parse(
    await readRepositoryFile('.config/production/prometheus/prometheus.yml'),
  ) as Prometheus;
  const targets = jobs.map(
    ({
      job_name: job,
      static_configs: [
        {
          targets: [target = ''],
        },
      ],
    }) => [job.replace('nereid-', ''), target],
  );

  expect(targets).toHaveLength(3);
  for (const [name = '', target = ''] of targets) {
    const port = target.replace('127.0.0.1:', '');
    expect([name, services[name]]).toEqual([
      name,
      { environment: { METRICS_ADDRESS: `0.0.0.0:${port}` }, ports: [`${target}:${port}`] },
    ]);
  }
});

interface Prometheus {
  readonly scrape_configs: readonly {
    readonly job_name: string;
    readonly static_configs: readonly [{ readonly targets: readonly string[] }];
  }[];
}
