/**
 * The ground for fault tests: the whole stack, whose processes are started again when they die, and roots that count their
 * own applies. Each apply appends a line to a ledger outside of the repository, so that the truth is measured, not asked.
 */
import type { Progress } from '@nereid/domain/deployment';
import { isJobAuditEvent, type JobAuditEvent } from '@nereid/domain/trail';
import type { CheckRun } from '@nereid/github-stand-in';
import type { Environment } from '@nereid/test-kit';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { ensureSample, SAMPLE_NAME, type RootName, type SampleRoot } from '../sample/repository.ts';
import { makeFolders } from '../stack/folders.ts';
import { startStack, type Stack } from '../stack/stack.ts';
import type { StackOptions } from '../stack/stack-options.ts';
import { expected } from '../story/failure.ts';
import { killLeftovers } from './kill-machine.ts';
import { createSlowWay, type SlowWay } from './storage/slow-way.ts';
import { mountSmallDisk, type SmallDisk } from './storage/small-disk.ts';
import { requireNoForgeries } from '../story/no-forgeries.ts';
import { createScene, type Scene } from '../story/scene.ts';
import { openWorkflows } from '../story/workflows.ts';

export interface Terrain {
  readonly stack: Stack;
  readonly scene: Scene;
  /** Undefined unless storage is on a small disk. */
  readonly disk: SmallDisk | undefined;
  /** Undefined unless storage is reached by a slow way. */
  readonly way: SlowWay | undefined;
  /** Pushes a change of the root. At its end, the apply writes the change's name into the ledger. Returns the commit. */
  push(root: RootName, name: string, slowness?: Slowness): Promise<string>;
  /** Deploys such a change by hand, from an approved pull request that is not merged. Returns its head. */
  byHand(root: RootName, name: string): Promise<string>;
  /** Lets an apply that was held end. */
  letEnd(name: string): Promise<void>;
  /** The newest check run of the root on the commit, once it is as described. */
  seen(
    root: SampleRoot,
    sha: string,
    what: string,
    isIt: (run: Readonly<CheckRun>) => boolean,
  ): Promise<Readonly<CheckRun>>;
  /** The check run of the root on the commit, once it says that the commit was applied. */
  applied(root: SampleRoot, sha: string): Promise<Readonly<CheckRun>>;
  /** Resolves when the gateway takes webhooks: GitHub does not repeat a webhook that reached nobody. */
  listens(): Promise<void>;
  /** Presses Confirm as soon as the plan is there. */
  confirm(root: SampleRoot, sha: string): Promise<void>;
  /** Resolves when the plan of the commit has begun `times` times; default once. */
  planBegins(sha: string, times?: number): Promise<void>;
  /** The commits whose plans began, in order. */
  plans(): Promise<readonly string[]>;
  /** Resolves when the apply with this name has begun. */
  applyBegins(name: string): Promise<void>;
  applyEnds(name: string): Promise<void>;
  /** Resolves when the title and summary of the newest check run match `what`. */
  says(root: SampleRoot, sha: string, what: RegExp): Promise<void>;
  /** The names of the applies that came to their end, in order. */
  ledger(): Promise<readonly string[]>;
  audited(externalId: string): Promise<readonly JobAuditEvent['state'][]>;
  /** Resolves when the audit trail has one successful apply; applies that were killed before they began may come first. */
  isAuditedOnce(externalId: string): Promise<void>;
  /** Resolves when the audit trail of the deployment's applies has exactly these states. */
  isAudited(externalId: string, states: readonly JobAuditEvent['state'][]): Promise<void>;
  /** A deployment's progress once its workflow knows its plan: a person sees the plan a moment before it does. */
  progressWithPlan(externalId: string): Promise<Progress>;
  /** The last host of the commit's deployment. */
  hostOf(root: RootName, sha: string): Promise<string>;
  /** The id of a worker as a host. */
  hostIdOf(worker: 'worker' | 'worker-2'): Promise<string>;
  /** Sends SIGKILL to every process of deployments that still runs, such as Terraform, as when a machine dies. */
  killLeftovers(): Promise<void>;
  close(): Promise<void>;
  /** The same, and throws when anything has counted as forged, although nobody posed as another one. */
  closeGenuine(): Promise<void>;
}

/** How long the operations of a change take. */
export interface Slowness {
  readonly planSeconds?: number;
  readonly applySeconds?: number;
  /** The apply goes on until `letEnd` is called. */
  readonly isHeld?: boolean;
}

/** A process is started again within a second; more deaths than this within a minute are a bug in the test. */
const RESTARTS = 30;

/** A dead worker is noticed by its activity's missing heartbeats, after a minute at most; two may die in a row. */
const DEADLINE_MS = 240_000;

/** An apply that never began also has its end in the audit trail; the approved plan is then applied by another job. */
const SUCCEEDED_ONCE = /^(RUNNING FAILURE )*RUNNING SUCCESS$/;

export interface TerrainOptions extends Pick<
  StackOptions,
  'hasSecondWorker' | 'hasHostAlone' | 'pools' | 'environments' | 'launchers' | 'sealsPayloads' | 'budgets'
> {
  /** Storage is a folder on a small disk of its own. */
  readonly hasSmallDisk?: boolean;
  /** Storage is S3 and SNS, which the stack reaches by a way that can be slowed down. */
  readonly hasSlowWay?: boolean;
}

/** When something fails, everything that was opened is closed, because jest would wait for it for ever. */
export async function openTerrain(env: Environment, options: TerrainOptions = {}): Promise<Terrain> {
  const { hasSmallDisk = false, hasSlowWay = false, ...ofStack } = options;
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(tmpdir(), 'nereid-faults-'));
  if (env['KEEP'] === undefined) opened.defer(() => rm(folder, { recursive: true, force: true }));
  const { storage, state } = await makeFolders(folder);
  const fileOf = (name: string) => path.join(state, name);
  const disk = hasSmallDisk ? await mountSmallDisk(storage) : undefined;
  if (disk !== undefined) opened.defer(() => disk.unmount());
  const way = hasSlowWay ? createSlowWay() : undefined;
  if (way !== undefined) opened.defer(() => way.close());
  const report = () => undefined;
  const stack = await startStack({
    env,
    folder,
    ports: 'free',
    ...(way === undefined
      ? { storage: 'folder' }
      : { storage: 's3', storageThrough: (endpoint: string) => way.to(endpoint) }),
    report,
    restarts: RESTARTS,
    ...ofStack,
    // Each plan writes down its commit, and takes as long as the last push said.
    beforePlan: `echo "$HEAD_COMMIT" >> ${fileOf('planned')}; sleep "$(cat ${fileOf('plan-seconds')})"`,
  });
  opened.use(stack);
  const workflows = opened.use(await openWorkflows(stack));
  await ensureSample(stack.github);
  const scene = createScene(stack, workflows, DEADLINE_MS);
  const lines = async (name: string) => {
    const text = await readFile(fileOf(name), 'utf8').catch(() => '');
    return text.split('\n').filter(Boolean);
  };
  let commits = 0;
  const filesOf = async (root: RootName, name: string, slowness: Slowness) => {
    const { planSeconds = 0, applySeconds = 0, isHeld = false } = slowness;
    commits += 1;
    await writeFile(fileOf('plan-seconds'), String(planSeconds));
    // The test that held the apply may be gone, and its files with it.
    const held = `until [ -e ${fileOf(`let-end-${name}`)} ] || [ ! -e ${fileOf('plan-seconds')} ]; do sleep 0.1; done`;
    const lasting = isHeld ? held : `sleep ${applySeconds}`;
    const command = `echo ${name} >> ${fileOf('begun')}; ${lasting}; echo ${name} >> ${fileOf('ledger')}`;
    // Replaces the change before it, so that an apply does not make up for an earlier one that was left undone.
    return { [`${root}/apply.tf`]: counted(commits, command) };
  };
  const all = opened.move();

  const terrain: Terrain = {
    stack,
    scene,
    disk,
    way,
    async push(root, name, slowness = {}) {
      const files = await filesOf(root, name, slowness);
      return stack.github.commit({ repository: SAMPLE_NAME, branch: 'main', files, message: name, author: 'bob' });
    },
    async byHand(root, name) {
      const files = await filesOf(root, name, {});
      const { number, sha } = await scene.proposeApproved({
        branch: name,
        title: name,
        body: '',
        author: 'bob',
        files,
      });
      stack.github.comment({ repository: SAMPLE_NAME, number }, 'alice', `nereid apply ${root}`);
      return sha;
    },
    letEnd: (name) => writeFile(fileOf(`let-end-${name}`), ''),
    applied: (root, sha) => terrain.seen(root, sha, 'applied', isApplied),
    seen: (root, sha, what, isIt) => scene.seen({ root, sha }, what, isIt),
    async confirm(root, sha) {
      scene.press(await scene.planned({ root, sha }), 'Confirm', 'alice');
    },
    listens: () =>
      until('the gateway to be ready', async () => {
        const ready = await fetch(new URL('/readyz', stack.urls.webhooks)).catch(() => undefined);
        return ready?.ok === true;
      }),
    planBegins: (sha, times = 1) =>
      until(`plan ${times} of ${sha} to begin`, async () => {
        const ofIt = (await terrain.plans()).filter((line) => line === sha);
        return ofIt.length >= times;
      }),
    plans: () => lines('planned'),
    applyEnds: (name) => until(`the end of the apply of ${name}`, async () => (await lines('ledger')).includes(name)),
    async says(root, sha, what) {
      await terrain.seen(root, sha, `says ${String(what)}`, ({ output }) =>
        what.test(`${output.title ?? ''} ${output.summary ?? ''}`),
      );
    },
    async progressWithPlan(externalId) {
      const progress = () => workflows.progress(externalId);
      await until(`the plan of ${externalId}`, async () => (await progress()).plan !== undefined);
      return progress();
    },
    async hostOf(root, sha) {
      const { externalId } = await terrain.seen(root, sha, 'a deployment', () => true);
      // The workflow learns who plans when the plan is made, or after a minute.
      const known = async () =>
        (await workflows.progress(externalId)).hostId ?? (await workflows.plannerOf(externalId));
      await until(`a host of ${root} at ${sha}`, async () => (await known()) !== undefined);
      return (await known()) ?? '';
    },
    async hostIdOf(worker) {
      const { data, secondData } = stack.folders;
      return (await readFile(path.join(worker === 'worker' ? data : secondData, 'host-id'), 'utf8')).trim();
    },
    isAuditedOnce: (externalId) =>
      audits(externalId, 'one successful apply', (states) => SUCCEEDED_ONCE.test(states.join(' '))),
    isAudited: (externalId, states) =>
      audits(externalId, states.join(', '), (found) => isDeepStrictEqual(found, states)),
    applyBegins: (name) => until(`the apply of ${name} to begin`, async () => (await lines('begun')).includes(name)),
    ledger: () => lines('ledger'),
    async audited(externalId) {
      const trail = await stack.storage.auditTrail();
      const ofJobs = trail.filter(isJobAuditEvent).filter(({ deploymentId }) => deploymentId === externalId);
      // An event that was stored again has the same id.
      return [...new Map(ofJobs.map(({ id, state }) => [id, state])).values()];
    },
    killLeftovers: () => killLeftovers(stack),
    close: () => all.disposeAsync(),
    async closeGenuine() {
      try {
        await requireNoForgeries(stack);
      } finally {
        await all.disposeAsync();
      }
    },
  };
  return terrain;

  function audits(
    externalId: string,
    what: string,
    isIt: (states: readonly JobAuditEvent['state'][]) => boolean,
  ): Promise<void> {
    let found: readonly JobAuditEvent['state'][] = [];
    const look = async () => {
      found = await terrain.audited(externalId);
      return isIt(found);
    };
    return until(`${what} in the audit trail of ${externalId}`, look, () => found.join(', '));
  }
}

/** Polls for a condition that nothing reports. */
export async function until(
  what: string,
  isSo: () => Promise<boolean>,
  found = () => 'nothing of the kind',
): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw expected(what, found());
    await pause(50);
  }
}

function isApplied({ conclusion, output }: Readonly<CheckRun>): boolean {
  return conclusion === 'success' && (output.title ?? '').startsWith('Applied');
}

function counted(number: number, command: string): string {
  return `resource "terraform_data" "apply_${number}" {
  provisioner "local-exec" { command = "${command}" }
}
`;
}
