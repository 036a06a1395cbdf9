/**
 * Deployments beside what they replace: from a merge to the last root applied, each Confirm pressed at once, and the same
 * Terraform commands typed by hand in as many roots, in turns in the same run.
 *
 * Everything shares this machine: Temporal, the GitHub stand-in, Nereid's processes, Terraform.
 */
import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack, type Stack } from '@nereid/local/stack';
import { median, timed } from './timing.ts';
import { applyByHand, writeFiles } from './deployments/by-hand.ts';
import { changeOf, rootFiles, rootNames, SAMPLE, SAMPLE_NAME } from './deployments/sample-repository.ts';

export interface DeploymentsBench {
  readonly roots: number;
  /** Medians, milliseconds: from the push to the end of the last root. */
  readonly deployedMs: number;
  readonly byHandMs: number;
  /** How many times longer the deployments take. */
  readonly ratio: number;
}

/** The second number is what the ancestor was measured with. */
const SIZES = [1, 20] as const;

const ROUNDS = 5;

/** Of a round: a minute is twenty times what it takes. */
const DEADLINE_MS = 60_000;

/** Slots of a worker: twice the cores. */
const AT_ONCE = 2 * availableParallelism();

export async function benchDeployments(environment: NodeJS.ProcessEnv): Promise<readonly DeploymentsBench[]> {
  const folder = await mkdtemp(join(tmpdir(), 'nereid-bench-'));
  try {
    await using stack = await startStack({
      env: environment,
      folder: join(folder, 'stack'),
      ports: 'free',
      storage: 'folder',
      report: () => undefined,
    });
    return await measure(stack, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(stack: Stack, folder: string): Promise<readonly DeploymentsBench[]> {
  const names = rootNames(Math.max(...SIZES));
  const stateFolder = join(folder, 'state');
  const handFolder = join(folder, 'by-hand');
  await mkdir(stateFolder);
  await stack.github.createRepository({
    ...SAMPLE,
    files: rootFiles(names, stateFolder),
    collaborators: { alice: 'write' },
  });
  await writeFiles(handFolder, rootFiles(names, join(handFolder, 'state')));
  const deployed = new Map<number, number[]>();
  const byHand = new Map<number, number[]>();
  // The first round makes the mirror, the lanes and the first states; it counts for nothing.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const size of SIZES) {
      const chosen = round === 0 ? names : names.slice(0, size);
      const files = changeOf(chosen, round * SIZES.length + SIZES.indexOf(size));
      const [deployedMs] = await timed(async () => deploy(stack, chosen, files));
      await writeFiles(handFolder, files);
      const options = { terraform: stack.terraform, folder: handFolder, atOnce: AT_ONCE };
      const [byHandMs] = await timed(async () => applyByHand(options, chosen));
      if (round === 0) continue;
      deployed.set(size, [...(deployed.get(size) ?? []), deployedMs]);
      byHand.set(size, [...(byHand.get(size) ?? []), byHandMs]);
    }
  }
  return SIZES.map((roots) => {
    const [deployedMs, byHandMs] = [median(deployed.get(roots) ?? []), median(byHand.get(roots) ?? [])];
    return { roots, deployedMs, byHandMs, ratio: deployedMs / byHandMs };
  });
}

/** Pushes, presses each Confirm when it is there, and answers when every root is applied. */
async function deploy(
  { github }: Stack,
  names: readonly string[],
  files: Readonly<Record<string, string>>,
): Promise<void> {
  const sha = await github.commit({
    repository: SAMPLE_NAME,
    branch: 'main',
    files,
    message: 'Change',
    author: 'alice',
  });
  const pressed = new Set<number>();
  const isApplied = () => {
    const runs = github.checkRuns(SAMPLE_NAME, sha);
    for (const { id, actions } of runs) {
      const confirm = actions.find(({ label }) => label === 'Confirm');
      if (confirm === undefined || pressed.has(id)) continue;
      pressed.add(id);
      github.pressButton(id, confirm.identifier, 'alice');
    }
    return runs.filter(({ output }) => output.title?.startsWith('Applied')).length === names.length ? true : undefined;
  };
  await github.waitFor(isApplied, { what: `${names.length} roots applied`, deadlineMs: DEADLINE_MS });
}
