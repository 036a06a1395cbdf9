/** Roots of one revision by their names. */
import type { Root } from '@nereid/domain/root';
import { findIn, type RevisionRequest } from '../../root/discover.ts';
import type { RevisionTools } from '../../root/revision-tools.ts';

interface Named extends RevisionRequest {
  readonly sha: string;
  readonly names: readonly string[];
}

/**
 * Those of the roots that the revision has. One that was declared and never had a directory has no state, and of a revision whose
 * configuration is invalid nothing was deployed.
 */
export async function findKnownRoots(tools: RevisionTools, { names, ...request }: Named): Promise<readonly Root[]> {
  if (names.length === 0) return [];
  const found = await findIn(tools, { ...request, names });
  switch (found.kind) {
    case 'roots':
      return found.roots;
    case 'unknown':
      return findKnownRoots(tools, { ...request, names: names.filter((name) => !found.names.includes(name)) });
    case 'problems':
      return [];
  }
}
