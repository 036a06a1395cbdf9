/** The facts that discovery needs about one file of a Terraform configuration. */
import type { NamedPaths } from './named-paths.ts';

export interface TerraformFacts extends NamedPaths {
  /** It has a `backend` or `cloud` block: the directory keeps a state, so it is a root. */
  readonly hasBackend: boolean;
  /** It configures a provider, as roots do. */
  readonly hasProvider?: true;
  /** As in `statePlaceOf`. */
  readonly state?: string;
  /** The sources of its local modules, `./…` or `../…`, with `/` between the names. */
  readonly modules: readonly string[];
  /** The sources of modules in folders of git repositories, as written; absent where there are none. */
  readonly inRepositories?: readonly string[];
}

export const NO_FACTS: TerraformFacts = { hasBackend: false, modules: [], besideModule: [], staying: [], climbing: [] };

/** A folder in a repository: `git::https://github.com/acme/infra.git//modules/vpc?ref=main`. */
export function isInRepository(source: string): boolean {
  return source.length <= SOURCE_LIMIT && /^(?:git::|git@|github\.com\/).*[^:]\/\//.test(source);
}

/** Linux takes no longer path. */
export const SOURCE_LIMIT = 4_096;

/** The path that a source names; undefined for a module from elsewhere. Terraform takes `..\\modules\\vpc` for a path everywhere. */
export function localPathOf(source: string): string | undefined {
  return /^\.{1,2}[\\/]/.test(source) ? source.replaceAll('\\', '/') : undefined;
}
