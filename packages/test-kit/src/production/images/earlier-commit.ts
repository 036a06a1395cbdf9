/** The commit that an upgrade is tried from: one whose images are not those of the working tree. */
import { mkdir, rm } from 'node:fs/promises';
import type { Environment } from '../../toolchain/environment.ts';
import { runTool } from '../../toolchain/run-tool.ts';
import { parseDockerfile } from '../dockerfile.ts';
import { DOCKERFILE } from './image-folder.ts';
import { REPOSITORY, readRepositoryFile } from '../../repository.ts';
import { PROCESSES } from './build-images.ts';

export type EarlierCommit =
  | { readonly kind: 'found'; readonly commit: string }
  /** A sentence. */
  | { readonly kind: 'none'; readonly why: string };

const GIT_TIMEOUT_MS = 60_000;

/** While there is no release, the guide promises that reviews stay open only where these are the same. */
const HISTORIES = 'workflows/histories';

/** The commit that `UPGRADE_FROM` names; the newest release with other images; or the newest commit with other images. */
export async function findEarlierCommit(env: Environment, repository = REPOSITORY): Promise<EarlierCommit> {
  const git = async (...args: string[]) => (await runGit(env, repository, args)).trim();
  const named = env['UPGRADE_FROM'] ?? '';
  if (named !== '') return { kind: 'found', commit: await git('rev-parse', '--verify', `${named}^{commit}`) };
  const files = await filesOfImages();
  const isSame = async (commit: string) => (await git('diff', '--name-only', commit, '--', ...files)) === '';

  const releases = await git('tag', '--merged', 'HEAD', '--sort=-version:refname', '--list', 'v*');
  for (const release of releases.split('\n').filter((name) => name !== ''))
    if (!(await isSame(release))) return { kind: 'found', commit: release };

  // The parents of the newest commit that changed them. The oldest commit of a shallow clone has none.
  const parents = (await isSame('HEAD')) ? await git('log', '-1', '--format=%P', 'HEAD', '--', ...files) : 'HEAD';
  const [commit = ''] = parents.split(' ');
  if (commit === '')
    return { kind: 'none', why: 'this clone has no commit with other images; fetch more of its history' };
  if ((await git('diff', '--name-only', commit, '--', HISTORIES)) !== '')
    return {
      kind: 'none',
      why: `workflows have changed since ${commit}, so the guide promises no upgrade with open reviews`,
    };
  return { kind: 'found', commit };
}

/** Puts the files of a commit into a new folder. */
export async function unpackCommit(commit: string, folder: string, env: Environment): Promise<void> {
  const archive = `${folder}.tar`;
  await runGit(env, REPOSITORY, ['archive', '--output', archive, commit]);
  await mkdir(folder);
  await runTool({
    argv: ['tar', '--directory', folder, '--extract', '--file', archive],
    env,
    timeoutMs: GIT_TIMEOUT_MS,
  });
  await rm(archive);
}

function runGit(env: Environment, repository: string, args: readonly string[]): Promise<string> {
  return runTool({ argv: ['git', '-C', repository, ...args], env, timeoutMs: GIT_TIMEOUT_MS });
}

/** As git names them: what images hold of the repository, without what .dockerignore leaves out. */
async function filesOfImages(): Promise<readonly string[]> {
  const stages = parseDockerfile(await readRepositoryFile(DOCKERFILE));
  const copies = ['node', ...PROCESSES].flatMap((name) => stages.get(name)?.copies ?? []);
  const copied = copies.filter(({ from }) => from === undefined).flatMap(({ sources }) => sources);
  const ignored = (await readRepositoryFile('.dockerignore')).split('\n').filter((line) => line.startsWith('**/'));
  const leftOut = ignored.flatMap((pattern) => [pattern, `${pattern}/**`]).map((each) => `:(exclude,glob)${each}`);
  return [DOCKERFILE, 'package-lock.json', 'workflows', ...copied, ...leftOut];
}
