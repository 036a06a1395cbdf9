/** Decides what a visitor may see of answers that hold many things, such as a stream of events. */
import { deploymentPageSubject, pullRequestPageSubject, type LaneName, type PullRequestName } from '@nereid/github';
import type { Access } from '../config.ts';
import { mayRead, type Visit } from './may-read.ts';

export type Sight =
  /** Lists of all that the visitor may see, whatever that is. */
  | { readonly kind: 'lists' }
  | { readonly kind: 'hosts' }
  | { readonly kind: 'lane'; readonly lane: LaneName }
  | { readonly kind: 'deployment'; readonly id: string; readonly lane: LaneName }
  | { readonly kind: 'pull-request'; readonly pull: PullRequestName };

/** Asked again for each event: what a visitor may see can change while a stream goes on. */
export type MaySee = (sight: Sight) => boolean | Promise<boolean>;

export function createMaySee(access: Access, visit: Omit<Visit, 'subject'>): MaySee {
  return (sight) => {
    if (access.kind === 'link' && subjectOf(sight) === '') return false;
    return mayRead(access, { ...visit, subject: subjectOf(sight) });
  };
}

/** What the key of a link is for; empty for what no link opens. */
function subjectOf(sight: Sight): string {
  switch (sight.kind) {
    case 'deployment':
      return deploymentPageSubject(sight.id, sight.lane);
    case 'pull-request':
      return pullRequestPageSubject(sight.pull);
    case 'lists':
    case 'hosts':
    case 'lane':
      return '';
  }
}
