/** Keeps a plan: the file, and everything else that its apply needs on another host. */
import { lstat, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { NO_PROGRAMS, unchangedFiles, type FilledFile } from '@nereid/git';
import type { PlanToKeep } from '@nereid/storage';
import { runCommand } from '@nereid/subprocess';
import { LOCK_FILE, madeInDataDir } from '@nereid/terraform';
import { retryBriefly } from '../job/retry-briefly.ts';
import type { HostTools, PlanAtHand } from '../job/tools.ts';
import type { Workspace } from '../job/workspace.ts';

/** Listing the files that planning made is local and takes milliseconds. */
const LIST_TIMEOUT_MS = 60_000;

/** The listing failed: a plan kept without it would lack files on another host. Planning again may help. */
class FilesNotListedError extends Error {
  override readonly name = 'FilesNotListedError';
  readonly code = 'FILES_NOT_LISTED';

  constructor(found: string) {
    super(`expected git to list the files made while planning, found ${found}: plan again, or check git on this host`);
  }
}

/** A plan that was just made, and the folder in which Terraform made it. */
export interface MadePlan extends PlanAtHand {
  /** Absolute, in the tree. */
  readonly dataDir: string;
  /** Each host fetches these itself, so they are kept only where planning changed them. */
  readonly filled: readonly FilledFile[];
  /** Its apply can do more than code of the plan could, which then changes none of the files that the apply finds. */
  readonly appliesAsAnother: boolean;
}

/** Returns why the plan cannot move. Then it is not kept: its own host applies it, and any other host makes it again. */
export async function keepPlan(
  { context }: HostTools,
  deploymentId: string,
  workspace: Workspace,
  plan: MadePlan,
): Promise<string | undefined> {
  const toKeep = await planToKeep(workspace, plan, context.environment['PATH'] ?? '');
  const kept = toKeep === undefined ? TOO_MANY : await retryBriefly(() => context.keptPlans.keep(deploymentId, toKeep));
  if (kept.kind === 'kept') return undefined;
  context.logger.warn({ deployment: deploymentId, reason: kept.why }, 'the plan cannot move to another host');
  return kept.why;
}

const TOO_MANY = { kind: 'not-movable', why: 'more files were made while planning than anybody can list' } as const;

/** Undefined when nobody can list the files that were made. */
async function planToKeep(
  workspace: Workspace,
  { envValues, description, ...made }: MadePlan,
  searchPath: string,
): Promise<PlanToKeep | undefined> {
  const { folder, planFile } = workspace;
  // The path of a root may contain a link in its tree, and nothing is restored through a link.
  const lockFile = join(relative(await realpath(folder), description.path), LOCK_FILE);
  const untracked = await filesMadeWhilePlanning(workspace, made, searchPath);
  if (untracked === undefined) return undefined;
  return {
    folder,
    planFile: relative(folder, planFile),
    ...(description.lockFileDigest !== null && { lockFile }),
    untracked: untracked.filter((path) => path !== lockFile),
    env: envValues,
    description,
  };
}

/** Files that the revision lacks, or has otherwise, relative to the deployment's folder; undefined when there are too many. */
async function filesMadeWhilePlanning(
  { folder, treeDir }: Workspace,
  { dataDir, filled, appliesAsAnother }: Pick<MadePlan, 'dataDir' | 'filled' | 'appliesAsAnother'>,
  searchPath: string,
): Promise<readonly string[] | undefined> {
  const [top, fromTree] = [await realpath(folder), relative(await realpath(treeDir), dataDir)];
  const listed = await runCommand({
    argv: [
      'git',
      'ls-files',
      '--others',
      ...(appliesAsAnother ? [] : ['--modified']),
      '-z',
      '--exclude=.terraform/',
      `--exclude=/${literal(fromTree)}/`,
    ],
    cwd: treeDir,
    env: { PATH: searchPath, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', ...NO_PROGRAMS },
    timeoutMs: LIST_TIMEOUT_MS,
  });
  if (listed.kind === 'stopped') return undefined;
  if (listed.kind !== 'exited') throw new FilesNotListedError(`that it ended otherwise: ${listed.kind}`);
  if (listed.exitCode !== 0) throw new FilesNotListedError(`exit code ${listed.exitCode}: ${listed.stderr.trim()}`);
  const fromFolder = relative(folder, treeDir);
  const fetched = await unchangedFiles(treeDir, appliesAsAnother ? [] : filled);
  const made = listed.stdout.split('\0').filter((path) => path !== '' && !fetched.has(path));
  const inTree = made.map((path) => join(fromFolder, path));
  const isThere = await Promise.all(inTree.map((path) => exists(join(folder, path))));
  const below = appliesAsAnother ? [] : await madeInDataDir(dataDir);
  const inDataDir = below.map((path) => relative(top, join(dataDir, path)));
  return [...inTree.filter((_path, index) => isThere[index]), ...inDataDir];
}

/** As a pattern of git's that matches nothing else. */
function literal(path: string): string {
  return path.replaceAll(/[\\*?[\]]/g, String.raw`\$&`);
}

/** Git lists deleted files as well. */
async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
