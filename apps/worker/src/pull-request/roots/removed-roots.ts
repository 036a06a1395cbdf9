import type { Root } from '@nereid/contracts';
import { findIn, type RevisionRequest } from '../../intake/revisions/discover.ts';
import type { RevisionTools } from '../../intake/intake-call.ts';

interface Removed extends RevisionRequest {
  /** The base, which still has them. */
  readonly sha: string;
  readonly names: readonly string[];
}

/** The roots that a merge removes, as the base has them. One that was declared there and never had a directory has no state. */
export async function removedRoots(tools: RevisionTools, { names, ...request }: Removed): Promise<readonly Root[]> {
  if (names.length === 0) return [];
  const found = await findIn(tools, { ...request, names });
  switch (found.kind) {
    case 'roots':
      return found.roots;
    case 'unknown':
      return removedRoots(tools, { ...request, names: names.filter((name) => !found.names.includes(name)) });
    // Its configuration was invalid before: nothing was deployed by it.
    case 'problems':
      return [];
  }
}
