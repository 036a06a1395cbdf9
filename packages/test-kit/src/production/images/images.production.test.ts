/** The images are built by a real engine, and their processes start in containers like those of docker-compose.yml. */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { folderOfThisFile } from '../../testing/folders.ts';
import { buildImages, PROCESSES, TODAY, type Version } from './build-images.ts';
import { startTemporal, type Containers } from './containers/containers.ts';
import { prepareMachine, type Machine } from '../compose-up/compose-up.ts';
import { findCompose, findNetworkTools } from '../compose-up/find-compose.ts';
import { buildOtherImages } from '../compose-up/other-images.ts';
import { blockOf } from '../compose-up/read-guide.ts';
import { readCompose } from '../compose.ts';
import { findEarlierCommit, unpackCommit } from './earlier-commit.ts';
import { startEngine, type Engine } from './engine.ts';
import { ON_CLOUD_RUN } from './containers/on-cloud-run.ts';
import type { People } from './containers/people.ts';
import type { Program } from './containers/program.ts';
import { until } from './containers/until.ts';

/** Making the base images takes a minute the first time; building ours two more, beside others many times that. */
const BUILT_WITHIN_MS = 60 * 60_000;
const STOPPED_WITHIN_MS = 20 * 60_000;

/** A minute; beside others, ten times that. */
const STORY_WITHIN_MS = 15 * 60_000;

/** The reconciler asks GitHub for what was lost. */
const RECONCILED_EVERY_MS = 5_000;

const MB = 1_000_000;
const NODE = `node:${process.versions.node}-bookworm-slim`;
const DISASTERS = 'apps/docs/operate/disasters.md';

const folder = folderOfThisFile();
let engine: Engine;

beforeAll(async () => {
  engine = await startEngine(process.env);
  await buildImages(engine, TODAY, folder, process.env);
}, BUILT_WITHIN_MS);

afterAll(() => engine.stop(), STOPPED_WITHIN_MS);

test.each([
  [NODE, 280],
  ['nereid-gateway', 330],
  ['nereid-console', 330],
  ['nereid-worker', 600],
])('%s has at most %d MB', async (image, most) => {
  const size = Number(await engine.docker(['image', 'inspect', '--format', '{{.Size}}', image]));

  expect(size).toBeLessThanOrEqual(most * MB);
});

describe.each(PROCESSES)('the image of the %s', (target) => {
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

describe('beside a Temporal and a GitHub', () => {
  let containers: Containers;
  let people: People;

  beforeAll(async () => {
    containers = await startTemporal(engine, folder, process.env);
    people = await containers.startGitHub();
  }, STORY_WITHIN_MS);

  afterAll(() => containers.remove(), STOPPED_WITHIN_MS);

  test.each(PROCESSES)(
    'the container of the %s becomes healthy, as somebody who can change nothing in it',
    async (name) => {
      await containers.start(name);

      const tries = `const { writeFileSync } = require('node:fs');
        const answer = (file) => { try { writeFileSync(file, ''); return 'written'; } catch ({ code }) { return code; } };
        console.log(JSON.stringify({ user: process.getuid(), app: answer('/app/file'), temporary: answer('/tmp/file') }));`;
      const found: unknown = JSON.parse(await engine.docker(['exec', name, 'node', '--eval', tries]));
      expect(found).toEqual({ user: 1000, app: 'EROFS', temporary: 'written' });
    },
    STORY_WITHIN_MS,
  );

  test(
    'a change is planned, waits for a Confirm while every container is killed and started, and is applied',
    async () => {
      expect(await people.goOn('planned 1')).toBe('planned 1');

      await containers.killAndStartTemporal();
      for (const name of PROCESSES) await containers.killAndStart(name);

      expect(await people.goOn('applied 1')).toBe('applied 1: Applied: 1 added, 0 changed, 0 destroyed');
    },
    STORY_WITHIN_MS,
  );

  test(
    'what was backed up goes on, on a machine that has nothing else: a plan that waits for its Confirm',
    async () => {
      expect(await people.goOn('planned 2')).toBe('planned 2');

      await containers.moveToEmptyMachine();
      for (const name of PROCESSES) await containers.start(name);

      expect(await people.goOn('applied 2')).toBe('applied 2: Applied: 1 added, 0 changed, 1 destroyed');
    },
    STORY_WITHIN_MS,
  );

  test(
    'merges that go on while each container is restarted in turn are applied, each once',
    async () => {
      await people.beginMerges();
      for (const name of PROCESSES) await untilMore(containers, people, ({ restart }) => restart(name));
      await untilMore(containers, people, ({ restartTemporal }) => restartTemporal());
      await people.endMerges();

      await expectAppliedOnce(containers, people, ['network 1', 'network 2']);
    },
    STORY_WITHIN_MS,
  );

  test.each(PROCESSES)('the container of the %s stops when it is told to', async (name) => {
    await engine.docker(['stop', '--time', '60', name]);

    expect(await engine.docker(['inspect', '--format', '{{.State.ExitCode}}', name])).toBe('0\n');
  });
});

describe('the container of the gateway, with the processor and the memory that Cloud Run gives it', () => {
  let containers: Containers;
  let github: Program;

  beforeAll(async () => {
    containers = await startTemporal(engine, folder, process.env);
    github = await containers.startOnCloudRun();
  }, STORY_WITHIN_MS);

  afterAll(() => containers.remove(), STOPPED_WITHIN_MS);

  test(
    'takes as many webhooks at a time as are sent to it',
    async () => {
      expect(await github.goOn('taken together')).toBe('taken together: 200');
    },
    STORY_WITHIN_MS,
  );

  test(
    'takes a webhook after it stood still, while its connection to Temporal ended',
    async () => {
      await engine.docker(['pause', ON_CLOUD_RUN]);
      await github.goOn('sent');
      await engine.docker(['unpause', ON_CLOUD_RUN]);

      expect(await github.says('after the pause')).toBe('after the pause: 202');
    },
    STORY_WITHIN_MS,
  );

  test(
    'answers the webhook that has arrived, and ends within ten seconds',
    async () => {
      await github.goOn('at Temporal');

      await engine.docker(['stop', '--time', '10', ON_CLOUD_RUN]);

      // Who is killed ends with another code.
      expect(await engine.docker(['inspect', '--format', '{{.State.ExitCode}}', ON_CLOUD_RUN])).toBe('0\n');
      expect(await github.says('at the end')).toBe('at the end: 202');
    },
    STORY_WITHIN_MS,
  );
});

const earlier = await findEarlierCommit(process.env);
const testUpgrade = earlier.kind === 'found' ? test : test.skip;
const from = earlier.kind === 'found' ? earlier.commit : `nothing: ${earlier.why}`;

describe(`an upgrade from ${from}`, () => {
  let containers: Containers | undefined;

  afterAll(() => containers?.remove(), STOPPED_WITHIN_MS);

  testUpgrade(
    'loses no deployment and no approval, while a review is open and merges go on',
    async () => {
      const version: Version = { folder: path.join(folder, 'earlier'), tag: 'earlier' };
      await unpackCommit(from, version.folder, process.env);
      await buildImages(engine, version, folder, process.env);
      expect(await idsOfImages(version)).not.toEqual(await idsOfImages(TODAY));
      containers = await startTemporal(engine, folder, process.env, version);
      for (const name of PROCESSES) await containers.start(name);
      const people = await containers.startGitHub();
      await people.goOn('planned 1');
      await people.beginMerges();

      for (const name of PROCESSES) await untilMore(containers, people, ({ upgrade }) => upgrade(name));
      expect(await people.goOn('applied 1')).toBe('applied 1: Applied: 1 added, 0 changed, 0 destroyed');
      await people.endMerges();

      await expectAppliedOnce(containers, people, ['network 1']);
    },
    BUILT_WITHIN_MS,
  );
});

describe('docker compose, with PostgreSQL and the server of Temporal', () => {
  let machine: Machine;
  let people: People;

  beforeAll(async () => {
    const compose = await readCompose();
    await buildOtherImages(engine, compose, { node: NODE, scratch: folder, env: process.env });
    const [tools, plugin] = [await findNetworkTools(process.env), await findCompose(process.env)];
    await engine.moveToOwnNetwork(tools, plugin);
    machine = await prepareMachine(engine, folder);
  }, BUILT_WITHIN_MS);

  test(
    'everything is healthy after one command, and the doctor finds nothing wrong',
    async () => {
      await machine.compose('up', '--detach', '--build');
      people = await machine.startGitHub();
      await machine.reachGitHub();
      for (const service of ['postgres', 'temporal', ...PROCESSES]) await machine.isHealthy(service);

      for (const process of PROCESSES) {
        const said = await machine.compose('exec', '-T', process, 'node', `apps/${process}/src/doctor/main.ts`);
        expect(said).toMatch(`The ${process} can work`);
      }
    },
    STORY_WITHIN_MS,
  );

  test(
    'a change waits for a Confirm while the database and the server are killed and their containers are lost, and is applied',
    async () => {
      expect(await people.goOn('planned 1')).toBe('planned 1');

      await machine.compose('kill', 'postgres', 'temporal');
      await machine.compose('rm', '--force', 'postgres', 'temporal');
      await machine.compose('up', '--detach');
      for (const service of ['postgres', 'temporal', ...PROCESSES]) await machine.isHealthy(service);

      expect(await people.goOn('applied 1')).toBe('applied 1: Applied: 1 added, 0 changed, 0 destroyed');
      expect(await machine.applied()).toEqual(['network 1']);
    },
    STORY_WITHIN_MS,
  );

  test(
    'a plan that waits for its Confirm is applied on a machine that has only what the guide backs up, with the lines of the guide',
    async () => {
      const linesOf = (heading: string) => blockOf(DISASTERS, heading, 'sh');
      // Its name in the guide.
      await engine.docker(['tag', NODE, 'debian']);
      expect(await people.goOn('planned 2')).toBe('planned 2');

      await machine.follow(await linesOf('Back up'));
      await machine.compose('down', '--volumes');
      await machine.override(await blockOf(DISASTERS, 'Storage is restored older', 'yaml'));
      const said = await machine.follow(await linesOf('The whole machine is lost'));
      expect(said.match(/^ERROR: .*/gm)).toEqual([
        expect.stringMatching(/already exists$/),
        expect.stringMatching(/already exists$/),
      ]);
      for (const service of ['postgres', 'temporal', ...PROCESSES]) await machine.isHealthy(service);
      await machine.override('');
      await machine.compose('up', '--detach');
      await machine.reachGitHub();

      expect(await people.goOn('applied 2')).toBe('applied 2: Applied: 1 added, 0 changed, 1 destroyed');
      expect(await machine.applied()).toEqual(['network 1', 'network 2']);
      await machine.compose('down', '--volumes');
    },
    STORY_WITHIN_MS,
  );
});

/** Does something, and waits until more has been merged after it. A webhook that nobody took meanwhile is sent again. */
async function untilMore(
  containers: Containers,
  people: People,
  change: (containers: Containers) => Promise<void>,
): Promise<void> {
  await change(containers);
  const before = (await people.merged()).length;
  const more = async () => {
    await containers.reconcile();
    const { length } = await people.merged();
    if (length <= before) throw new Error(`found ${length}, as before`);
  };
  await until('more merges', more, RECONCILED_EVERY_MS);
}

async function expectAppliedOnce(containers: Containers, people: People, others: readonly string[]): Promise<void> {
  const all = async () => {
    await containers.reconcile();
    return people.allMerged();
  };
  const merged = await until('all to have merged', all, RECONCILED_EVERY_MS);
  expect((await containers.applied()).toSorted()).toEqual([...others, ...merged].toSorted());
}

function idsOfImages({ tag }: Version): Promise<string> {
  const names = PROCESSES.map((target) => `nereid-${target}:${tag}`);
  return engine.docker(['image', 'inspect', '--format', '{{.Id}}', ...names]);
}
