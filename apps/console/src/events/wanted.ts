/** What a client of events wants: one thing at a time. Pure. */
import { CHANGE_KINDS, type ChangeKind, type EventsQuery } from '@nereid/api';
import { parsePullRequestName, type PullRequestName } from '@nereid/domain/console';
import type { ChangeFilter } from './change.ts';

export type Wanted =
  | { readonly kind: 'fleet'; readonly filter: ChangeFilter }
  | { readonly kind: 'deployment'; readonly id: string }
  /** Undefined where there can be no such pull request. */
  | { readonly kind: 'pull-request'; readonly pull: PullRequestName | undefined };

/** Undefined for filters that do not go together. */
export function wantedOf({ repository, root, pull, deployment, kinds }: EventsQuery): Wanted | undefined {
  if (deployment !== undefined) {
    const isAlone = repository === undefined && root === undefined && pull === undefined;
    return isAlone ? { kind: 'deployment', id: deployment } : undefined;
  }
  if (repository === undefined && (root ?? pull) !== undefined) return undefined;
  if (pull === undefined) return { kind: 'fleet', filter: { repository, rootName: root, kinds: kindsOf(kinds) } };
  if (root !== undefined) return undefined;
  const [owner, name] = (repository ?? '').split('/');
  return { kind: 'pull-request', pull: parsePullRequestName(owner, name, pull) };
}

function kindsOf(kinds: string | undefined): readonly ChangeKind[] | undefined {
  const named = kinds?.split(',');
  return named && CHANGE_KINDS.filter((kind) => named.includes(kind));
}
