/** The repositories and roots that a policy, a window, a destination of notifications or a stop is about. */
import { matchesGlob, matchesRoot, type RootPlace } from '../glob.ts';

export interface Scope {
  /** Globs of `owner/name`; empty for everything, also what is about no repository. */
  readonly repositories: readonly string[];
  /** Rules as `roots` of a repository has them; empty for everything, also what is about no root. */
  readonly roots: readonly string[];
}

/** `repository` is `owner/name`. Without a repository or a root, what names some of them is about something else. */
export function isInScope(
  { repositories, roots }: Scope,
  { repository, root }: { readonly repository?: string | undefined; readonly root?: RootPlace | undefined },
): boolean {
  return (
    (repositories.length === 0 ||
      (repository !== undefined && repositories.some((glob) => matchesGlob(glob, repository)))) &&
    (roots.length === 0 || (root !== undefined && roots.some((rule) => matchesRoot(rule, root))))
  );
}
