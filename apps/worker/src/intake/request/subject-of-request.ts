import type { Action, ConsoleRequest } from '@nereid/contracts';
import type { TokenScope } from '@nereid/config';
import type { ActionSubject } from '../action-subject.ts';

/** What a request is about, for the audit trail. */
export function subjectOfRequest(request: ConsoleRequest): ActionSubject {
  switch (request.action) {
    case 'deploy':
      return { rootNames: request.rootNames, revision: request.sha };
    case 'plan':
      return { rootNames: request.rootNames, pullRequest: request.pullRequest };
    case 'unlock':
      return { rootNames: [request.rootName] };
    case 'merge':
      return { rootNames: [request.rootName], deploymentId: request.deploymentId, beforeMerge: true };
    case 'confirm':
    case 'reject':
    case 'override':
    case 'cancel':
    case 'rerun':
      return { rootNames: [request.rootName], deploymentId: request.deploymentId };
  }
}

/** The action whose rules judge the person. */
export const ACTION_OF = {
  confirm: 'confirm',
  reject: 'reject',
  override: 'override',
  merge: 'confirm',
  unlock: 'unlock',
  cancel: 'cancel',
  rerun: 'rerun',
  deploy: 'rerun',
  plan: 'rerun',
} as const satisfies Readonly<Record<ConsoleRequest['action'], Action>>;

/** What a script's token has to permit. Hosts have a rule of their own. */
export const SCOPE_OF = {
  confirm: 'review',
  reject: 'review',
  override: 'override',
  merge: 'review',
  unlock: 'unlock',
  cancel: 'cancel',
  rerun: 'deploy',
  deploy: 'deploy',
  plan: 'plan',
} as const satisfies Readonly<Record<ConsoleRequest['action'], TokenScope>>;
