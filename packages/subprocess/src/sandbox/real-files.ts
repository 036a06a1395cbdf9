/** A sandbox shows what its paths lead to. So whoever can put a link in the place of one of them could show anything else. */
import { realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { hasErrorCode } from '../error-code.ts';
import type { Sandbox, SandboxFile } from './sandbox.ts';

/**
 * The reason why the sandbox must not be made: one of its paths leads through a link. If it leads nowhere, bubblewrap says so.
 * Those of the system, which are most of them, are not looked for again before each command.
 */
export async function whyNotReal({ files }: Pick<Sandbox, 'files'>): Promise<string | undefined> {
  const others = files.filter(({ isOfSystem }) => isOfSystem !== true);
  const found = await Promise.all(others.map(async ({ path }) => ({ path, real: await realPathOf(path) })));
  const linked = found.find(({ path, real }) => real !== undefined && real !== path);
  return linked && `its sandbox was not made: expected ${linked.path} not to be a link, found one to ${linked.real}`;
}

/** A file that the operator names, which may be behind links. A path that does not exist stays as it is named. */
export function realFile({ path, at = path, access }: SandboxFile): SandboxFile {
  try {
    return { path: realpathSync(path), at, access };
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return { path, at, access };
    throw error;
  }
}

async function realPathOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT') || hasErrorCode(error, 'ELOOP') || hasErrorCode(error, 'ENOTDIR'))
      return undefined;
    throw error;
  }
}
