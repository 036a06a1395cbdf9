/**
 * The files of variables and of backends that a step reads. A link in a repository could make one of them a file of the host:
 * its lines would be quoted in errors, and its values would end up in the plan.
 */
import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Root, Step } from '@nereid/domain/root';
import { hasErrorCode } from '@nereid/subprocess';
import { variablesOf } from './variables.ts';

export interface StepInTree {
  readonly step: Step;
  readonly root: Pick<Root, 'varFiles' | 'steps'>;
  /** The real path of the top of the working tree. */
  readonly treeDir: string;
  /** The real path of the root. */
  readonly rootDir: string;
}

/**
 * The reason why a step must not run; undefined when it may. Arguments come from the server's file, which may name files
 * outside of the tree.
 */
export async function whyFilesRefused({ step, root, treeDir, rootDir }: StepInTree): Promise<string | undefined> {
  for (const file of await filesOf(step, root, rootDir)) {
    const named = path.resolve(rootDir, file);
    if (isIn(treeDir, named) && !isIn(treeDir, await realPathOf(named)))
      return `expected ${file} to be a file of this repository, found a link that leads out of it: replace the link by the file`;
  }
  return undefined;
}

async function filesOf(step: Step, root: StepInTree['root'], rootDir: string): Promise<readonly string[]> {
  const variables = namedBy('var-file', variablesOf(root));
  switch (step.kind) {
    case 'init':
      return [...namedBy('backend-config', step.extraArgs), ...variables];
    case 'plan':
      return [...variables, ...(await readdir(rootDir)).filter(isReadByItself)];
    case 'apply':
      return [...variables, ...namedBy('var-file', step.extraArgs)];
    case 'env':
    case 'run':
    case 'refuse':
      return [];
  }
}

/** Terraform reads these without being told. */
function isReadByItself(name: string): boolean {
  return /^terraform\.tfvars(?:\.json)?$|\.auto\.tfvars(?:\.json)?$/.test(name);
}

/** Written with one dash or two, as one argument or two. A setting of a backend, `key=value`, is a file that is not there. */
function namedBy(flag: string, args: readonly string[]): readonly string[] {
  const found = new RegExp(`^--?${flag}(?:=(.*))?$`, 's');
  return args.flatMap((arg, index) => {
    const match = found.exec(arg);
    return match === null ? [] : [match[1] ?? args[index + 1] ?? ''];
  });
}

/** Terraform itself says so when a file is not there. */
async function realPathOf(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].some((code) => hasErrorCode(error, code))) return file;
    throw error;
  }
}

function isIn(top: string, file: string): boolean {
  return file === top || file.startsWith(top + path.sep);
}
