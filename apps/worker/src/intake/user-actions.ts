/**
 * The requests of people in one event, and the answers that they got, for the audit trail. They are noted as they are judged,
 * and go with the activity's result or failure into the history of the workflow, which has them stored.
 */
import {
  defined,
  ACTIONS,
  type ActionName,
  type HostAction,
  type HostRequestEvent,
  type IntakeEvent,
  type UserAction,
} from '@nereid/contracts';
import type { ActionSubject } from './action-subject.ts';
import { parseComment } from './comment/comment-command.ts';
import { isOfPlan } from './check-run/subject-of-press.ts';

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
    userActions.set(of, { ...asked, ...defined({ refusal }) });
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
  const name = actionOf(event, on);
  if (name === undefined) return undefined;
  const pullRequest = event.kind === 'comment' && { pullRequest: event.pullRequest };
  return { action: ACTIONS[name].rule, ...on, ...pullRequest };
}

function actionOf(
  event: Exclude<IntakeEvent, HostRequestEvent>,
  { pullRequest }: ActionSubject,
): Exclude<ActionName, HostAction> | undefined {
  switch (event.kind) {
    case 'button':
      return event.button.kind;
    case 'rerun':
      return isOfPlan(event.checkRun) ? 'plan' : 'rerun';
    case 'rerun-all':
      // A deployment that is asked for is of no pull request: its plans are.
      return pullRequest === undefined ? 'rerun' : 'plan';
    case 'comment': {
      const command = parseComment(event.line);
      return command.kind === 'help' ? undefined : command.action;
    }
    case 'request':
      return event.request.action;
    case 'push':
    case 'pull-request':
    case 'merge-group':
      return undefined;
  }
}
