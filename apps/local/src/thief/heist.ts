/** A root steals what it can in a stack of its own, when it is planned and when it is applied, and what was kept is searched. */
import type { CheckRun } from '@nereid/github-stand-in';
import { freePort } from '@nereid/test-kit';
import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '../faults/terrain.ts';
import { PEOPLE } from '../sample/people.ts';
import { SECOND_WORKER } from '../stack/processes.ts';
import { startStack, type Stack } from '../stack/stack.ts';
import type { StackOptions } from '../stack/stack-options.ts';
import { aSecret, canariesIn, canariesOfKeys, type Canaries } from './canaries.ts';
import {
  pidsOf,
  textOfFolder,
  textOfGitHub,
  textOfHistories,
  textOfMetrics,
  textOfPlan,
  textOfProcesses,
} from './places.ts';
import { BRAGGART_FILES, settingsOfRoots, THIEF, thiefFiles, VAULT, vaultFiles } from './roots.ts';
import { thiefProgram } from './ways.ts';

export type HeistOptions = Required<Pick<StackOptions, 'env' | 'sandbox' | 'network'>>;

export interface Heist {
  /** The ways that succeeded in the step of a plan, and in the provisioner of an apply. */
  readonly plan: readonly (string | undefined)[];
  readonly apply: readonly (string | undefined)[];
  /** The names of the canaries that were found, by the place. */
  readonly found: Readonly<Record<string, readonly string[]>>;
  /** The places without a text that they always have: nothing would be found there. */
  readonly unread: readonly string[];
}

const SOURCES = path.join(import.meta.dirname, '../../../..');

/** A deployment takes seconds; only a hang takes minutes. */
const DEADLINE_MS = 240_000;

const PROCESSES = ['gateway', 'worker', SECOND_WORKER, 'console'] as const;

const ALWAYS_THERE = {
  processes: ['main.ts'],
  plan: ['terraform_data.thief'],
  disk: ['terraform_data'],
  storage: [THIEF],
  histories: [THIEF],
  'check runs': ['"conclusion":"success"'],
  metrics: ['nereid_webhooks_total', 'nereid_forged_total', 'nereid_host_slots'],
  logs: ['"msg":"working"'],
} as const;

export async function playHeist(options: HeistOptions): Promise<Heist> {
  await using opened = new AsyncDisposableStack();
  const top = await mkdtemp(path.join(tmpdir(), 'nereid-thief-'));
  opened.defer(() => rm(top, { recursive: true, force: true }));
  const state = path.join(top, 'state');
  const planted = {
    ...Object.fromEntries(PROCESSES.map((name) => [name, aSecret()])),
    vault: aSecret(),
    memory: aSecret(),
  };
  const ports = { gateway: await freePort(), [SECOND_WORKER]: await freePort(), console: await freePort() };
  await leaveAround(top, planted.memory, opened);
  const stack = opened.use(
    await startStack({
      folder: top,
      ports: 'free',
      storage: 'folder',
      report: () => undefined,
      hasHostAlone: true,
      environments: environmentsOf(top, planted, ports),
      ...settingsOfRoots(state),
      ...options,
    }),
  );

  const vault = await push(stack, VAULT, 'vault', vaultFiles(planted.vault, state));
  await isThere(path.join(state, 'vault-began'));
  const { externalId: other, detailsUrl } = await runOf(stack, VAULT, vault, () => true);
  const program = thiefProgram({
    ...{ top, sources: SOURCES, other, metricsUrl: stack.urls.metrics },
    temporalPort: Number(stack.temporalAddress.split(':')[1]),
    consoleUrl: new URL(detailsUrl ?? '').origin,
  });
  const thief = await push(stack, THIEF, 'thief', thiefFiles(program, top, await pidsOf(top)));
  await isThere(path.join(state, 'shown'));
  const processes = await textOfProcesses();
  await writeFile(path.join(state, 'looked'), '');
  const planned = await runOf(stack, THIEF, thief, ({ actions }) => actions.length === 2);
  const [plan, disk] = [
    await textOfPlan(stack, planned.externalId),
    await textOfFolder(path.join(stack.folders.work, planned.externalId)),
  ];
  stack.github.pressButton(planned.id, planned.actions[0]?.identifier ?? '', 'alice');
  await runOf(stack, THIEF, thief, ({ conclusion }) => conclusion === 'success');
  const braggart = await push(stack, THIEF, 'braggart', BRAGGART_FILES);
  await runOf(stack, THIEF, braggart, ({ conclusion }) => conclusion === 'failure');
  await writeFile(path.join(state, 'vault-may-end'), '');
  await runOf(stack, VAULT, vault, ({ conclusion }) => conclusion === 'success');

  const storage = await textOfFolder(stack.folders.storage);
  const texts: Readonly<Record<keyof typeof ALWAYS_THERE, string>> = {
    processes,
    plan,
    disk,
    storage,
    histories: await textOfHistories(stack.temporalAddress),
    'check runs': textOfGitHub(stack.github, [VAULT, THIEF]),
    metrics: await textOfMetrics([stack.urls.metrics, ...Object.values(ports).map(metricsAt)]),
    logs: await textOfFolder(stack.folders.logs),
  };
  const canaries: Canaries = { ...planted, ...(await canariesOfKeys(stack.folders.secrets)) };
  return {
    plan: waysIn(storage, /^DONE (.*)$/gm),
    apply: waysIn(storage, /\(local-exec\):\S* \S*DONE (.*)$/gm),
    found: Object.fromEntries(Object.entries(texts).map(([place, text]) => [place, canariesIn(canaries, text)])),
    unread: Object.entries(ALWAYS_THERE).flatMap(([place, words]) => {
      const isRead = words.every((word) => texts[place as keyof typeof texts].includes(word));
      return isRead ? [] : [place];
    }),
  };
}

/** What the worker's user has on a machine besides the stack itself. */
async function leaveAround(top: string, secret: string, opened: AsyncDisposableStack): Promise<void> {
  const home = path.join(top, 'home');
  await mkdir(home);
  for (const name of ['.gitconfig', '.terraformrc']) await writeFile(path.join(home, name), '');
  await mkdir('/dev/shm', { recursive: true });
  const shared = path.join('/dev/shm', path.basename(top));
  await writeFile(shared, secret);
  opened.defer(() => rm(shared));
}

function environmentsOf(
  top: string,
  secrets: Canaries,
  ports: Readonly<Record<string, number>>,
): NonNullable<StackOptions['environments']> {
  const environments = PROCESSES.map((name) => {
    const metrics = name in ports ? { METRICS_ADDRESS: `127.0.0.1:${ports[name]}` } : {};
    return [name, { HOME: path.join(top, 'home'), AWS_SECRET_ACCESS_KEY: secrets[name] ?? '', ...metrics }] as const;
  });
  return Object.fromEntries(environments);
}

function metricsAt(port: number): string {
  return `http://127.0.0.1:${port}/metrics`;
}

/** The repository exists from its first push on. Returns the commit. */
async function push(
  { github }: Stack,
  repository: string,
  message: string,
  files: Parameters<Stack['github']['commit']>[0]['files'],
) {
  const [owner = '', name = ''] = repository.split('/');
  const isNew = await github.headOf(repository).then(
    () => false,
    () => true,
  );
  if (isNew) await github.createRepository({ owner, name, files: { 'README.md': name }, collaborators: PEOPLE });
  return github.commit({ repository, branch: 'main', files, message, author: 'bob' });
}

function isThere(file: string): Promise<void> {
  return until(`${file} to be there`, () =>
    access(file).then(
      () => true,
      () => false,
    ),
  );
}

async function runOf(
  { github }: Stack,
  repository: string,
  sha: string,
  isIt: (run: Readonly<CheckRun>) => boolean,
): Promise<Readonly<CheckRun>> {
  try {
    const what = `a check run of ${repository}`;
    return await github.waitFor(() => github.checkRuns(repository, sha).find(isIt), { what, deadlineMs: DEADLINE_MS });
  } catch (error) {
    const shown = github
      .checkRuns(repository, sha)
      .map(({ name, conclusion, output }) => ({ name, conclusion, output }));
    throw new Error(`expected another check run of ${repository}, found ${JSON.stringify(shown)}`, { cause: error });
  }
}

function waysIn(logs: string, pattern: RegExp): readonly (string | undefined)[] {
  return [...new Set(Array.from(logs.matchAll(pattern), ([, way]) => way))];
}
