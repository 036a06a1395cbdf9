/** The facts that discovery needs about one file of a Terraform configuration. */
import type { NamedPaths } from './named-paths.ts';

export interface TerraformFacts extends NamedPaths {
  /** It has a `backend` or `cloud` block: the directory keeps a state, so it is a root. */
  readonly hasBackend: boolean;
  /** The sources of its local modules, `./…` or `../…`, as written. */
  readonly modules: readonly string[];
}

export const NO_FACTS: TerraformFacts = { hasBackend: false, modules: [], besideModule: [], staying: [], climbing: [] };

/** Terraform takes exactly these sources for local paths. */
export function isLocalSource(source: string): boolean {
  return source.startsWith('./') || source.startsWith('../');
}
