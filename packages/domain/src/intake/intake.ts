import type { Signed } from '../signed.ts';
import type { OperatorRequestEvent, RequestEvent } from './console-request.ts';
import type {
  ButtonEvent,
  CommentEvent,
  MergeGroupEvent,
  ProtectedRunEvent,
  PullRequestEvent,
  PushEvent,
  RerunAllEvent,
  RerunEvent,
} from './webhook-events.ts';
import type { JudgedAction } from './user-action.ts';

/** The start input of the intake workflow. */
export interface IntakeInput extends Signed<ReceivedEvent> {
  /** How long the workflow tries to take the event, in milliseconds. Passed in so that tests run in milliseconds. */
  readonly patienceMs?: number;
}

/**
 * The few fields of a webhook, at most 64 KiB, as the gateway received them: it signs that the forge sent this, and when, which dies after
 * three days. Or a request, as the console received and signed it, which dies after an hour.
 */
export interface ReceivedEvent {
  readonly version: 1;
  /** The id of a webhook's delivery; of a request, the console's id of it. */
  readonly delivery: string;
  /** ISO 8601. */
  readonly receivedAt: string;
  /** SHA-256 of the webhook's body, 64 hex digits: somebody may send the same body again as another delivery. */
  readonly bodyDigest?: string;
  readonly event: IntakeEvent;
}

export type IntakeEvent =
  | PushEvent
  | PullRequestEvent
  | MergeGroupEvent
  | ProtectedRunEvent
  | ButtonEvent
  | RerunEvent
  | RerunAllEvent
  | CommentEvent
  | RequestEvent
  | OperatorRequestEvent;

/** As a table, so that none is forgotten. */
export const EVENT_KINDS: Readonly<Record<IntakeEvent['kind'], true>> = {
  push: true,
  'pull-request': true,
  'merge-group': true,
  'protected-run': true,
  button: true,
  rerun: true,
  'rerun-all': true,
  comment: true,
  request: true,
  'operator-request': true,
};

/** The result of an event, and of its intake workflow. */
export interface IntakeResult {
  /**
   * `signalled`: lanes, a terraform workflow or a host took the event. `refused`: a person was told why. `nothing`: there was
   * nothing to do.
   */
  readonly kind: 'signalled' | 'refused' | 'nothing';
  /** A sentence that says what happened, or why nothing did. */
  readonly sentence: string;
  /** Ids of the workflows signalled, at most 500. */
  readonly workflows: readonly string[];
  /** Of a request to deploy or to re-run: the deployments of the roots that it names. */
  readonly deployments?: readonly OrderedDeployment[];
  /** The user actions to audit; the workflow's own result leaves them out. */
  readonly userActions?: readonly Signed<JudgedAction>[];
}

/** A deployment that its lane was told of. */
export interface OrderedDeployment {
  readonly id: string;
  readonly rootName: string;
}

/** Whether the console signs the event, and not the gateway. */
export function isConsoleRequest(event: IntakeEvent): event is RequestEvent | OperatorRequestEvent {
  return event.kind === 'request' || event.kind === 'operator-request';
}

/** On the queue `deploy`, for the intake workflow. */
export interface IntakeActivities {
  /**
   * Takes an event that the gateway signed. Idempotent by the delivery's id. When it fails, the details of its failure are the
   * user actions that it judged.
   */
  handleEvent(received: Signed<ReceivedEvent>): Promise<IntakeResult>;
  /**
   * Stores the user actions of an event in the audit trail, in order; another attempt stores none twice. Those of an event that
   * could not be taken are refused, for the reason `notTaken`.
   */
  recordUserActions(
    received: Signed<ReceivedEvent>,
    userActions: readonly Signed<JudgedAction>[] | { readonly notTaken: string },
  ): Promise<void>;
}
