import { ACTIONS } from '@nereid/domain/actions';
import type { ConsoleRequest } from '@nereid/domain/intake';
import type { ActionSubject } from '../action-subject.ts';

/** The subject of a request, for the audit trail. */
export function subjectOfRequest(request: ConsoleRequest): ActionSubject {
  return {
    rootNames: 'rootName' in request ? [request.rootName] : 'roots' in request ? request.roots : [],
    ...('deploymentId' in request && { deploymentId: request.deploymentId }),
    ...('revision' in request && { revision: request.revision }),
    ...('pullRequest' in request && { pullRequest: request.pullRequest }),
    ...(ACTIONS[request.action].about === 'preview' && { beforeMerge: true }),
  };
}
