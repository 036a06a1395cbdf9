/**
 * Files by which tools like tfenv, tenv, asdf and mise choose a version on the computers of the people who wrote a root. They choose
 * nothing here, so a plan by another version says so.
 */
import path from 'node:path';
import type { Distribution } from '../errors.ts';
import { readTreeFile } from '../tree-file.ts';

/** For people. */
const PROGRAM_NAMES = { terraform: 'Terraform', tofu: 'OpenTofu' } as const;

export interface Chosen {
  /** The top of the working tree, absolute. */
  readonly treeDir: string;
  readonly rootDir: string;
  readonly distribution: Distribution;
  /** The exact version that runs. */
  readonly version: string;
}

/** A warning where the nearest such file, of the root or above it, names another exact version than the one that runs. */
export async function versionFileWarning({
  treeDir,
  rootDir,
  distribution,
  version,
}: Chosen): Promise<string | undefined> {
  for (const dir of upTo(treeDir, rootDir)) {
    for (const [name, pattern] of FILES[distribution]) {
      const named = pattern.exec(await readTreeFile(path.join(dir, name), treeDir))?.[1];
      if (named === undefined) continue;
      if (named === version) return undefined;
      const file = path.relative(treeDir, path.join(dir, name));
      const program = PROGRAM_NAMES[distribution];
      return `${file} names ${named}, but ${program} ${version} made this plan, because that file is not read: set terraform_version for this root`;
    }
  }
  return undefined;
}

const EXACT = String.raw`v?(\d{1,5}\.\d{1,5}\.\d{1,5}(?:-[\w.]{1,40})?)[ \t\r]*$`;
const ALONE = new RegExp(`^[ \\t]*${EXACT}`, 'm');

/** What is not exact, such as `latest`, says that other versions are fine. */
const FILES: Readonly<Record<Distribution, readonly (readonly [name: string, pattern: RegExp])[]>> = {
  terraform: [
    ['.terraform-version', ALONE],
    ['.tool-versions', new RegExp(`^terraform[ \\t]+${EXACT}`, 'm')],
  ],
  tofu: [
    ['.opentofu-version', ALONE],
    ['.tool-versions', new RegExp(`^opentofu[ \\t]+${EXACT}`, 'm')],
  ],
};

/** From the directory of the root to the top. */
function upTo(treeDir: string, rootDir: string): readonly string[] {
  const below = path.relative(treeDir, rootDir).split(path.sep);
  return [...below.map((_, index) => path.join(treeDir, ...below.slice(0, below.length - index))), treeDir];
}
