import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gitText, runGit } from './run-git.ts';

/** 40 zeros: how git and GitHub write "this branch did not exist". */
export const NO_COMMIT = '0'.repeat(40);

/** Creates a bare repository that can serve the same requests as github.com: partial clones, any reachable SHA, pushes. */
export async function createBareRepository(directory: string, defaultBranch: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  await runGit(directory, ['init', '--quiet', '--bare', '--template=', `--initial-branch=${defaultBranch}`, '.']);
  await appendFile(join(directory, 'config'), SETTINGS);
}

const SETTINGS = `
[http]
	receivepack = true
[receive]
	# The branches of merge queues take no pushes, on GitHub neither.
	hideRefs = refs/heads/gh-readonly-queue
[uploadpack]
	# Without these two a filter is silently ignored, and a fetch of a commit that is no tip is refused.
	allowFilter = true
	allowAnySHA1InWant = true
[gc]
	# Commits that a forced push left behind stay readable, as they do on GitHub.
	auto = 0
`;

/** Branches and their heads, by branch name without `refs/heads/`. */
export async function readBranches(directory: string): Promise<Map<string, string>> {
  const text = await gitText(directory, ['for-each-ref', '--format=%(objectname) %(refname:lstrip=2)', 'refs/heads']);
  const lines = text === '' ? [] : text.split('\n');
  return new Map(lines.map((line) => [line.slice(41), line.slice(0, 40)]));
}

/** The commit that a SHA (full or at least 7 digits), branch or tag names; undefined if there is none. */
export async function resolveCommit(directory: string, ref: string): Promise<string | undefined> {
  const candidates = [`refs/heads/${ref}`, `refs/tags/${ref}`];
  if (/^(heads|tags)\/./.test(ref)) candidates.push(`refs/${ref}`);
  if (/^[0-9a-f]{7,40}$/.test(ref)) candidates.unshift(ref);
  if (ref === 'HEAD') candidates.push(ref);
  for (const candidate of candidates) {
    const args = ['rev-parse', '--verify', '--quiet', `${candidate}^{commit}`];
    const { exitCode, stdout } = await runGit(directory, args, { accept: [1, 128] });
    if (exitCode === 0) return stdout.toString().trim();
  }
  return undefined;
}

/** Moves a branch, if it is still where the caller saw it; `NO_COMMIT` as target deletes it. */
export async function moveBranch(directory: string, branch: string, from: string, to: string): Promise<void> {
  await runGit(directory, ['update-ref', `refs/heads/${branch}`, to, from]);
}

/** Whether git accepts this as the name of a branch. */
export async function isBranchName(directory: string, name: string): Promise<boolean> {
  const { exitCode } = await runGit(directory, ['check-ref-format', `refs/heads/${name}`], { accept: [1] });
  return exitCode === 0;
}
