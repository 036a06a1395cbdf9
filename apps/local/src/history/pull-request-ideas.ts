/** Ideas of what people change in a root: a resource that comes, changes, is replaced, or goes. */
import type { ChangeAction } from '@nereid/domain/plan';
import { capitalised } from '@nereid/domain/words';

export interface Idea {
  /** The name of its resource, and of its file. */
  readonly resource: string;
  readonly titles: Readonly<Record<IdeaAction, string>>;
}

/** `explain` changes a comment, so its plan has no changes. */
export type IdeaAction = Extract<ChangeAction, 'create' | 'update' | 'replace' | 'delete'> | 'explain';

/** `{}` stands for the root. */
export const IDEAS: readonly [Idea, ...Idea[]] = [
  idea('alert', {
    create: 'Alert on slow answers of {}',
    update: 'Alert on {} after five minutes',
    replace: 'Send the alerts of {} to the new pager',
    delete: 'No more alerts on {}: the dashboard is enough',
  }),
  idea('dashboard', {
    create: 'A dashboard for {}',
    update: 'Show errors on the dashboard of {}',
    replace: 'Move the dashboard of {} to the folder of the team',
    delete: 'Remove the dashboard of {}',
  }),
  idea('replica', {
    create: 'A replica of {}',
    update: 'A larger replica of {}',
    replace: 'Move the replica of {} to another zone',
    delete: 'Remove the replica of {}',
  }),
  idea('retries', {
    create: 'A queue for the retries of {}',
    update: 'Retry {} five times',
    replace: 'Retries of {} in order',
    delete: 'No more queue for the retries of {}',
  }),
  idea('backup', {
    create: 'Back up {} every night',
    update: 'Keep backups of {} for 30 days',
    replace: 'Encrypt the backups of {} with a key of their own',
    delete: 'No more backups of {}',
  }),
  idea('schedule', {
    create: 'Stop {} at night',
    update: 'Stop {} on weekends, too',
    replace: 'The schedule of {} in local time',
    delete: 'Run {} at night again',
  }),
  idea('access', {
    create: 'A role for {}',
    update: 'Let {} read the archive',
    replace: 'A new role for {}',
    delete: 'Remove the old role of {}',
  }),
];

function idea(resource: string, titles: Omit<Idea['titles'], 'explain'>): Idea {
  return { resource, titles: { ...titles, explain: `Explain the ${resource} of {}` } };
}

export function titleOf({ titles }: Idea, action: IdeaAction, rootName: string): string {
  return capitalised(titles[action].replace('{}', rootName));
}
