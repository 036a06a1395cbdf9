/**
 * The effects of actions, whoever asks: a button, a comment, the console, or an operator at a terminal. A surface finds what the
 * action is about, judges whether the person may, and words the answer.
 */
import type { RepositoryPolicy } from '@nereid/config';
import type { PermissionKey } from '@nereid/domain/actions';
import type { Deployment } from '@nereid/domain/deployment';
import type { PressedCheckRun, Sender } from '@nereid/domain/intake';
import type { Repository } from '@nereid/domain/root';
import { broughtWith } from '../lane/brought/brought.ts';
import { lanePlace } from '../lane/lane-place.ts';
import type { PatientCall } from '../person/ask-patiently.ts';
import { askerOf, decide } from '../person/permission.ts';
import type { RevisionTools } from '../root/revision-tools.ts';
import type { Decision } from '../person/permission-rule.ts';

/** The facts that an effect needs about the attempt in which it is carried out. */
export interface ActionCall extends RevisionTools {
  /** The id of the event or request: another attempt at the same one has the same effect. */
  readonly delivery: string;
  /** When the person asked. ISO 8601. */
  readonly askedAt: string;
}

export type ActionAnswer<Done = object> =
  | ({ readonly kind: 'done'; /** What was done, as the end of "@ada …". */ readonly sentence: string } & Done)
  | { readonly kind: 'refused'; readonly sentence: string };

/** The effect on one lane, whichever surface asks for it. `LANE_ACTIONS` has them all. */
export interface LaneEffect {
  /** Why it cannot be done to what the person saw; judged before the person is. */
  readonly whyNot?: (call: ActionCall, lane: LaneTarget) => Promise<string | undefined>;
  readonly perform: (call: ActionCall, asker: Sender, lane: LaneTarget) => Promise<LaneAnswer>;
  /** Shows on a check run what was done; on the one where a button was pressed, or else on that of the lock. */
  readonly show?: (call: ActionCall, lane: LaneTarget, pressed?: Pick<PressedCheckRun, 'id'>) => Promise<void>;
  /** Begins the lists of lanes in the reply to a comment. */
  readonly reply: { readonly done: string; readonly undone: string };
}

export interface LaneTarget {
  readonly repository: Repository;
  readonly rootName: string;
  /** The id of the deployment that set the lock which the person saw: another lock stays. Without, whatever lock there is. */
  readonly lock?: string;
}

export type LaneAnswer = ActionAnswer<{ readonly workflow: string }>;

export const HAS_ENDED = 'this deployment has ended, so its buttons no longer do anything';

/** The effect on a lane, for a person who may act on the root in every directory that the lane has deployed lately. */
export interface LaneQuestion {
  readonly repository: Repository;
  readonly policy: RepositoryPolicy;
  readonly rootName: string;
  readonly action: PermissionKey;
  /** Whose change the action is about. Undefined where nobody knows it any more: then `sha` brought it, and perhaps others. */
  readonly deployment: Deployment | undefined;
  readonly sha?: string;
}

export async function mayActOnLane(
  call: RevisionTools & Omit<PatientCall, 'context'>,
  asker: Sender,
  { repository, policy, rootName, action, deployment, sha }: LaneQuestion,
): Promise<Decision> {
  const root = await lanePlace(call, repository, rootName, deployment && [deployment.root]);
  const brought = () =>
    deployment === undefined
      ? { shas: sha === undefined ? [] : [sha], people: [], hasMore: true, mayBeProposed: true }
      : broughtWith(call, repository, deployment);
  return decide(call, { repository, policy, root, action, ...askerOf(asker), brought });
}
