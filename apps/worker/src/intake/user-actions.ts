/**
 * The requests of people in one event, and the answers that they got, for the audit trail. They are noted as they are judged,
 * and go with the activity's result or failure into the history of the workflow, which has them stored.
 */
import { ACTIONS, type ActionName, type OperatorAction } from '@nereid/domain/actions';
import { defined } from '@nereid/domain/defined';
import type { IntakeEvent, UserAction } from '@nereid/domain/intake';
import type { ActionSubject } from './action-subject.ts';
import { parseComment } from './comment/comment-command.ts';
import { isOfPlan } from './check-run/subject-of-press.ts';

export interface UserActions {
  accepted(on: ActionSubject): void;
  /** Only the first refusal counts: a failure to tell the person about it would be noted as another one. */
  refused(on: ActionSubject, why: string): void;
  all(): readonly UserAction[];
  /** Notes into the same list, for an event of which only a look at the forge shows what it asks for. */
  as(action: RootActionName): UserActions;
}

type RootActionName = Exclude<ActionName, OperatorAction>;

/** The limit of the contract. */
const REFUSAL_LIMIT = 500;

export function createUserActions(event: IntakeEvent): UserActions {
  const userActions = new Map<string, UserAction>();

  function add(action: RootActionName | undefined, on: ActionSubject, refusal?: string): void {
    const asked = askedIn(event, action, on);
    const of = `${on.deploymentId ?? ''} ${on.rootNames.join(' ')}`;
    if (asked === undefined || userActions.has(of)) return;
    userActions.set(of, { ...asked, ...defined({ refusal }) });
  }

  const notesOf = (action: RootActionName | undefined): UserActions => ({
    accepted: (on) => {
      add(action, on);
    },
    refused: (on, why) => {
      add(action, on, why.slice(0, REFUSAL_LIMIT));
    },
    all: () => [...userActions.values()],
    as: notesOf,
  });
  return notesOf(actionOf(event));
}

/** Undefined for events that ask for nothing that could be refused. */
function askedIn(event: IntakeEvent, name: RootActionName | undefined, on: ActionSubject): UserAction | undefined {
  if (event.kind === 'operator-request') return event.request;
  if (name === undefined) return undefined;
  const pullRequest = event.kind === 'comment' && { pullRequest: event.pullRequest };
  return { action: ACTIONS[name].rule, ...on, ...pullRequest };
}

function actionOf(event: IntakeEvent): RootActionName | undefined {
  switch (event.kind) {
    case 'button':
      return event.button.kind;
    case 'rerun':
      return isOfPlan(event.checkRun) ? 'plan' : 'rerun';
    case 'rerun-all':
      return 'rerun';
    case 'comment': {
      const command = parseComment(event.line);
      return command.kind === 'help' ? undefined : command.action;
    }
    case 'request':
      return event.request.action;
    case 'operator-request':
    case 'push':
    case 'pull-request':
    case 'merge-group':
    case 'protected-run':
      return undefined;
  }
}
