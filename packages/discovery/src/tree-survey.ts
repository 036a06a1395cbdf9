/** One look at all files of a revision: its directories, and those of them that hold Terraform configurations. */
import type { TreeFile } from '@nereid/git';
import { isConfigurationName, isTofuName } from '@nereid/hcl';
import { directoryOf, nameOf } from './paths.ts';
import { isUnitOfTerragrunt } from './wrappers/wrapper-files.ts';

export interface TreeSurvey {
  readonly files: readonly TreeFile[];
  /** The files at the repository's top, by name. */
  readonly top: ReadonlyMap<string, TreeFile>;
  /** Every directory, including those that hold only other directories. */
  readonly dirs: ReadonlySet<string>;
  /** Directories that hold others. */
  readonly parents: ReadonlySet<string>;
  /** Configuration of Terraform and OpenTofu, by directory, including links. */
  readonly terraform: ReadonlyMap<string, readonly TreeFile[]>;
  /** Whether any of it is for OpenTofu alone. */
  readonly hasTofu: boolean;
  /** Files of variables by their names, `*.tfvars` and `*.tfvars.json`, by directory, including links. */
  readonly variables: ReadonlyMap<string, readonly TreeFile[]>;
  /** Directories with a `.terraform.lock.hcl`. */
  readonly locked: ReadonlySet<string>;
  /** Directories that Terragrunt runs. */
  readonly wrapped: ReadonlySet<string>;
  readonly links: readonly TreeFile[];
  /** The places of submodules. */
  readonly submodules: ReadonlySet<string>;
}

export const LOCK_FILE = '.terraform.lock.hcl';

export function surveyTree(files: readonly TreeFile[]): TreeSurvey {
  const top = new Map<string, TreeFile>();
  const dirs = new Set(['.']);
  const parents = new Set<string>();
  const terraform = new Map<string, TreeFile[]>();
  const variables = new Map<string, TreeFile[]>();
  const locked = new Set<string>();
  const wrapped = new Set<string>();
  const submodules = new Set<string>();
  let hasTofu = false;
  const links: TreeFile[] = [];

  for (const file of files) {
    const dir = directoryOf(file.path);
    if (dir === '.') top.set(file.path, file);
    addWithParents(dirs, parents, dir);
    if (file.kind === 'link') links.push(file);
    if (file.kind === 'submodule') submodules.add(file.path);
    if (file.kind === 'submodule' || isDownloaded(dir)) continue;
    if (isTerraformFile(file.path)) {
      addTo(terraform, dir, file);
      hasTofu ||= isTofuName(file.path);
    } else if (isVariablesFile(file.path)) addTo(variables, dir, file);
    else if (nameOf(file.path) === LOCK_FILE) locked.add(dir);
    else if (isUnitOfTerragrunt(file.path)) wrapped.add(dir);
  }
  return { files, top, dirs, parents, terraform, hasTofu, variables, locked, wrapped, links, submodules };
}

export function isTerraformFile(path: string): boolean {
  return isConfigurationName(nameOf(path));
}

function isVariablesFile(path: string): boolean {
  return path.endsWith('.tfvars') || path.endsWith('.tfvars.json');
}

/** Files that `terraform init` or Terragrunt downloads belong to no root, even if somebody committed them. */
function isDownloaded(dir: string): boolean {
  return dir.includes('.terra') && dir.split('/').some((name) => name === '.terraform' || name === '.terragrunt-cache');
}

function addWithParents(dirs: Set<string>, parents: Set<string>, dir: string): void {
  for (let each = dir; !dirs.has(each); each = directoryOf(each)) {
    dirs.add(each);
    parents.add(directoryOf(each));
  }
}

function addTo<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
