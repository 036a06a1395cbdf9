/** The GitHub events that we know, and what each means to us. */
import { readCheckRun } from './check-run.ts';
import { readCheckSuite } from './check-suite.ts';
import { readDeploymentProtectionRule } from './deployment-protection-rule.ts';
import { readIssueComment } from './issue-comment.ts';
import { readMergeGroup } from './merge-group.ts';
import { readPullRequest } from './pull-request.ts';
import { readPush } from './push.ts';
import { ignore, type EventFilter, type ReadEvent, type Verdict } from './verdict.ts';

const READERS: ReadonlyMap<string, ReadEvent> = new Map<string, ReadEvent>([
  ['push', readPush],
  ['pull_request', readPullRequest],
  ['merge_group', readMergeGroup],
  ['check_run', readCheckRun],
  ['check_suite', readCheckSuite],
  ['issue_comment', readIssueComment],
  ['deployment_protection_rule', readDeploymentProtectionRule],
]);

/** Events that reach every App, or to which ours is subscribed, and the reason why we ignore them. */
const IGNORED: ReadonlyMap<string, string> = new Map([
  ['ping', 'GitHub only asks whether we are here'],
  ['installation', 'the installations are looked up when they are needed'],
  ['installation_repositories', 'the installations are looked up when they are needed'],
  ['installation_target', 'the installations are looked up when they are needed'],
  ['pull_request_review', 'reviews are looked up when they are needed'],
  ['pull_request_review_comment', 'a pull request is deployed when it is merged'],
  ['pull_request_review_thread', 'a pull request is deployed when it is merged'],
]);

/** Every event name that a metric may have as a label. */
export const KNOWN_EVENTS: ReadonlySet<string> = new Set([...READERS.keys(), ...IGNORED.keys()]);

/** Under this name all other events are counted together. */
export const OTHER_EVENT = 'other';

export function readEvent(event: string, payload: unknown, filter: EventFilter): Verdict {
  const read = READERS.get(event);
  return read ? read(payload, filter) : ignore(IGNORED.get(event) ?? 'we do not act on events of this kind');
}
