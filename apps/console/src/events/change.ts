/** Something that changed, as it is told in events. Pure. */
import type { ChangeKind, DeploymentEvent, HostList, LaneEvent, LaneSummary, PullRequestEvent } from '@nereid/api';
import type { LaneName, PullRequestName } from '@nereid/domain/console';
import { fullName } from '@nereid/domain/root';
import type { About } from '../access/may-see-changes.ts';
import { isSameName } from '../access/repository-access.ts';
import type { Picture } from '../fleet/fleet.ts';

export type Change =
  /** Without a summary, the lane is gone. */
  | { readonly kind: 'lane'; readonly lane: LaneName; readonly summary?: LaneSummary }
  | { readonly kind: 'deployment'; readonly lane: LaneName; readonly id: string; readonly status: string }
  | { readonly kind: 'pull-request'; readonly pull: PullRequestName; readonly headline: string }
  | { readonly kind: 'hosts'; readonly hosts: HostList }
  | { readonly kind: 'unavailable'; readonly unavailable: Picture['unavailable'] }
  /** More than can be told one by one. */
  | { readonly kind: 'reset' };

/** The `data` of its event. */
export function dataOf(change: Change): object {
  switch (change.kind) {
    case 'lane': {
      const { lane, summary } = change;
      const event: LaneEvent = {
        repository: fullName(lane),
        rootName: lane.rootName,
        ...(summary && { lane: summary }),
      };
      return event;
    }
    case 'deployment': {
      const { id, lane, status } = change;
      const event: DeploymentEvent = { id, repository: fullName(lane), rootName: lane.rootName, status };
      return event;
    }
    case 'pull-request': {
      const { pull, headline } = change;
      const event: PullRequestEvent = { repository: fullName(pull), number: pull.number, headline };
      return event;
    }
    case 'hosts':
      return change.hosts;
    case 'unavailable':
      return { unavailable: change.unavailable };
    case 'reset':
      return {};
  }
}

/** The thing that a visitor must be allowed to see to be told of it; undefined for a change that says nothing about anything. */
export function aboutOf(change: Change): About | undefined {
  switch (change.kind) {
    case 'lane':
    case 'deployment':
    case 'pull-request':
      return change;
    case 'hosts':
      return { kind: 'hosts' };
    case 'unavailable':
    case 'reset':
      return undefined;
  }
}

export interface ChangeFilter {
  /** `owner/name`. */
  readonly repository?: string | undefined;
  readonly rootName?: string | undefined;
  /** All, if absent. */
  readonly kinds?: readonly ChangeKind[] | undefined;
}

/** Names on a forge have no case. Hosts are of no repository; a reset concerns everybody, as does what is unavailable. */
export function isWanted(change: Change, { repository, rootName, kinds }: ChangeFilter): boolean {
  if (change.kind === 'reset') return true;
  if (kinds !== undefined && !kinds.includes(change.kind)) return false;
  if (change.kind === 'hosts') return repository === undefined;
  if (change.kind !== 'lane' && change.kind !== 'deployment') return true;
  const { lane } = change;
  if (repository !== undefined && !isSameName(fullName(lane), repository)) return false;
  return rootName === undefined || lane.rootName === rootName;
}
