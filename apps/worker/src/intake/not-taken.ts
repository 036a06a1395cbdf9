/**
 * The request of an event that could not be taken: the forge, a repository or every worker was away for too long, or the event
 * failed for good before it was judged. No rule refused the request, but it was not carried out, and the audit trail says so.
 */
import { isConsoleAction } from '@nereid/domain/actions';
import { isConsoleRequest, type IntakeEvent, type UserAction } from '@nereid/domain/intake';
import { subjectOf } from './check-run/subject-of-press.ts';
import { parseComment } from './comment/comment-command.ts';
import { subjectOfRequest } from './request/subject-of-request.ts';
import { NO_ROOT, type ActionSubject } from './action-subject.ts';
import { createUserActions } from './user-actions.ts';

/** Empty for events that ask for nothing that could be refused. */
export function notTaken(event: IntakeEvent, why: string): readonly UserAction[] {
  if (isConsoleRequest(event) && !isConsoleAction(event.request.action)) return [];
  const userActions = createUserActions(event);
  userActions.refused(aboutOf(event), `it could not be carried out, or only in part: ${why}`);
  return userActions.all();
}

function aboutOf(event: IntakeEvent): ActionSubject {
  switch (event.kind) {
    case 'button':
    case 'rerun':
      return subjectOf(event.checkRun);
    case 'rerun-all':
      return { rootNames: [], revision: event.headSha };
    case 'comment': {
      const command = parseComment(event.line);
      if (command.kind === 'root-and-lock') return { rootNames: [command.rootName], lockId: command.lockId };
      return { rootNames: 'rootNames' in command ? command.rootNames : [] };
    }
    case 'request':
      return subjectOfRequest(event.request);
    case 'operator-request':
    case 'push':
    case 'pull-request':
    case 'merge-group':
    case 'protected-run':
      return NO_ROOT;
  }
}
