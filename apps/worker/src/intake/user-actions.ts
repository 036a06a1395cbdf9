/**
 * The requests of people in one event, and the answers that they got, for the audit trail. They are noted as they are judged,
 * and go with the activity's result or failure into the history of the workflow, which has them stored.
 */
import { BUTTONS, type Action, type HostRequestEvent, type IntakeEvent, type UserAction } from '@nereid/contracts';
import type { ActionSubject } from './action-subject.ts';
import { parseComment } from './comment/comment-command.ts';
import { ACTION_OF } from './request/subject-of-request.ts';

export interface UserActions {
  accepted(on: ActionSubject): void;
  /** Only the first refusal counts: a failure to tell the person about it would be noted as another one. */
  refused(on: ActionSubject, why: string): void;
  all(): readonly UserAction[];
}

/** The limit of the contract. */
const REFUSAL_LIMIT = 500;

export function createUserActions(event: IntakeEvent): UserActions {
  const userActions = new Map<string, UserAction>();

  function add(on: ActionSubject, refusal?: string): void {
    const asked = askedIn(event, on);
    const of = `${on.deploymentId ?? ''} ${on.rootNames.join(' ')}`;
    if (asked === undefined || userActions.has(of)) return;
    userActions.set(of, { ...asked, ...(refusal !== undefined && { refusal }) });
  }

  return {
    accepted: (on) => {
      add(on);
    },
    refused: (on, why) => {
      add(on, why.slice(0, REFUSAL_LIMIT));
    },
    all: () => [...userActions.values()],
  };
}

/** Undefined for events that ask for nothing that could be refused. */
function askedIn(event: IntakeEvent, on: ActionSubject): UserAction | undefined {
  if (event.kind === 'host-request') return { action: event.request.action, hostId: event.request.hostId };
  const action = actionOf(event);
  const pullRequest = event.kind === 'comment' && { pullRequest: event.pullRequest };
  return action && { action, ...on, ...pullRequest };
}

function actionOf(event: Exclude<IntakeEvent, HostRequestEvent>): Action | undefined {
  switch (event.kind) {
    case 'button':
      return BUTTONS[event.button.kind].action;
    case 'rerun':
    case 'rerun-all':
      return 'rerun';
    case 'comment':
      return commanded(event.line);
    case 'request':
      return ACTION_OF[event.request.action];
    case 'push':
    case 'pull-request':
    case 'merge-group':
      return undefined;
  }
}

function commanded(line: string): Action | undefined {
  const command = parseComment(line);
  if (command.kind === 'help') return undefined;
  if (command.kind === 'force-unlock') return 'force_unlock';
  return command.kind === 'apply' && command.force ? 'apply_force' : command.kind;
}
