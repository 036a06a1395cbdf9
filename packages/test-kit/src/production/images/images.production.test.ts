/** The images are built by a real engine, and their processes start in containers like those of docker-compose.yml. */
import { generateKeyPairSync } from 'node:crypto';
import { chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findTemporalCli } from '../../toolchain/find-temporal-cli.ts';
import { readCompose, type Compose } from '../compose.ts';
import { parseDockerfile } from '../dockerfile.ts';
import { DOCKERFILE } from '../image-folder.ts';
import { REPOSITORY, readRepositoryFile } from '../repository.ts';
import { importBaseImages } from './base-images.ts';
import { startEngine, type Engine } from './engine.ts';
import { runArguments, type Given } from './run-arguments.ts';

/** Making the base images takes a minute the first time; building ours two more, beside others many times that. */
const BUILT_WITHIN_MS = 60 * 60_000;
const BUILD_TIMEOUT_MS = 20 * 60_000;

/** Of the processes, whose imports take seconds, and a check of their health every ten. */
const HEALTHY_WITHIN_MS = 240_000;
const POLL_MS = 500;

const MB = 1_000_000;
/** That of the images. */
const USER = 1000;
const NODE = 'node:24.21.0-bookworm-slim';

let folder: string;
let engine: Engine;
let compose: Compose;
let given: Given;

beforeAll(async () => {
  compose = await readCompose();
  folder = await mkdtemp(path.join(tmpdir(), 'images-'));
  engine = await startEngine(process.env);
  const dockerfile = path.join(folder, 'Dockerfile');
  const text = await readRepositoryFile(DOCKERFILE);
  // What is made here has the names of the images that ours begin from, and not their digests.
  await writeFile(dockerfile, text.replaceAll(/@sha256:[0-9a-f]{64}/g, ''));
  const stages = parseDockerfile(await readFile(dockerfile, 'utf8'));
  const bases = [...stages.values()].map(({ from }) => from).filter((from) => !stages.has(from));
  await importBaseImages(engine, bases, process.env);
  for (const target of ['gateway', 'console', 'worker']) {
    const options = ['--network', 'host', '--file', dockerfile, '--target', target, '--tag', `nereid-${target}`];
    await engine.docker(['build', ...options, REPOSITORY], BUILD_TIMEOUT_MS);
  }
}, BUILT_WITHIN_MS);

afterAll(async () => {
  await engine.stop();
  await rm(folder, { recursive: true });
}, BUILD_TIMEOUT_MS);

test.each([
  [NODE, 280],
  ['nereid-gateway', 330],
  ['nereid-console', 330],
  ['nereid-worker', 600],
])('%s has at most %d MB', async (image, most) => {
  const size = Number(await engine.docker(['image', 'inspect', '--format', '{{.Size}}', image]));

  expect(size).toBeLessThanOrEqual(most * MB);
});

describe.each(['gateway', 'console', 'worker'])('the image of the %s', (target) => {
  test('has its licences and the list of its packages, all of which are there', async () => {
    const program = `
      const { existsSync, readFileSync } = require('node:fs');
      const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
      const list = JSON.parse(readFileSync('sbom.cdx.json', 'utf8'));
      const listed = new Set(list.components.map(({ name, version }) => name + '@' + version));
      const installed = Object.entries(packages).filter(([path, { version }]) => path.includes('node_modules/') && version && existsSync(path));
      const names = installed.map(([path, { version }]) => path.split('node_modules/').at(-1) + '@' + version);
      console.log(JSON.stringify({
        licence: readFileSync('LICENSE', 'utf8').includes('Apache License'),
        notice: readFileSync('NOTICE', 'utf8').startsWith('Nereid'),
        format: list.bomFormat,
        missing: names.filter((name) => !listed.has(name)),
        gone: existsSync('node_modules/@octokit/openapi'),
      }));`;

    const output = await engine.docker(['run', '--rm', '--entrypoint', 'node', `nereid-${target}`, '--eval', program]);

    expect(JSON.parse(output)).toEqual({ licence: true, notice: true, format: 'CycloneDX', missing: [], gone: false });
  });
});

describe('beside a Temporal', () => {
  beforeAll(async () => {
    given = { ...(await filesOf()), variables: VARIABLES };
    const cli = await findTemporalCli({ env: process.env, report: () => undefined });
    // The others join its network, which has nothing but the addresses of the container itself.
    const options = ['--detach', '--name', 'temporal', '--network', 'none', '--volume', `${cli}:/usr/bin/temporal:ro`];
    await engine.docker(['run', ...options, NODE, 'temporal', 'server', 'start-dev', '--headless']);
    const setUp = ['--rm', '--network', 'container:temporal', '--restart', 'no'];
    await untilDone(() => engine.docker(['run', ...setUp, ...argumentsOf('temporal-namespace')]));
  }, HEALTHY_WITHIN_MS);

  test.each(['gateway', 'worker', 'console'])(
    'the container of the %s becomes healthy, as somebody who can change nothing in it, and stops when it is told to',
    async (name) => {
      const options = ['--detach', '--name', name, '--network', 'container:temporal', '--stop-timeout', '60'];
      await engine.docker(['run', ...options, ...argumentsOf(name)]);

      await healthy(name);

      const tries = `const { writeFileSync } = require('node:fs');
        const answer = (file) => { try { writeFileSync(file, ''); return 'written'; } catch ({ code }) { return code; } };
        console.log(JSON.stringify({ user: process.getuid(), app: answer('/app/file'), temporary: answer('/tmp/file') }));`;
      const found: unknown = JSON.parse(await engine.docker(['exec', name, 'node', '--eval', tries]));
      expect(found).toEqual({ user: USER, app: 'EROFS', temporary: 'written' });
      await engine.docker(['stop', name]);
      expect(await engine.docker(['inspect', '--format', '{{.State.ExitCode}}', name])).toBe('0\n');
    },
    HEALTHY_WITHIN_MS,
  );
});

/** Without TLS, which the dev server has not. GitHub is not asked at the start. */
const VARIABLES = {
  GITHUB_APP_ID: '1',
  CONSOLE_URL: 'https://nereid.example.org',
  TEMPORAL_ADDRESS: '127.0.0.1:7233',
};

function argumentsOf(name: string): readonly string[] {
  const service = compose.services[name];
  if (service === undefined) throw new Error(`expected a service ${name} in docker-compose.yml, found none`);
  const { environment = {}, secrets = [], ...rest } = service;
  const withoutTls = Object.entries(environment).filter(([variable]) => !variable.startsWith('TEMPORAL_TLS'));
  const files = secrets.filter((secret) => !secret.startsWith('temporal-'));
  return runArguments({ ...rest, environment: Object.fromEntries(withoutTls), secrets: files }, given);
}

/** As the guide has people make them. */
async function filesOf(): Promise<Omit<Given, 'variables'>> {
  const secrets = path.join(folder, 'secrets');
  await mkdir(secrets);
  const keys = ['node', 'packages/config/bin/nereid.js', 'keys', '/keys'];
  await engine.docker(['run', '--rm', '--user', '0', '--volume', `${secrets}:/keys`, 'nereid-worker', ...keys]);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(path.join(secrets, 'github-app-private-key'), privateKey.export({ type: 'pkcs1', format: 'pem' }));
  await writeFile(path.join(secrets, 'github-webhook-secret'), 'of the tests');
  for (const name of await readdir(secrets)) await chown(path.join(secrets, name), USER, USER);
  return { secrets, configs: { server: path.join(REPOSITORY, '.config/production/nereid.server.yaml') } };
}

async function untilDone(work: () => Promise<unknown>): Promise<void> {
  const deadline = performance.now() + HEALTHY_WITHIN_MS / 2;
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await pause(POLL_MS);
    }
  }
}

/** Waits for the HEALTHCHECK of the image. */
async function healthy(name: string): Promise<void> {
  await untilDone(async () => {
    const state = await engine.docker(['inspect', '--format', '{{.State.Status}} {{.State.Health.Status}}', name]);
    if (state.trim() !== 'running healthy')
      throw new Error(`expected ${name} to be healthy, found ${state.trim()}:\n${await engine.docker(['logs', name])}`);
  });
}
