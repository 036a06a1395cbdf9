/** Requests that people make in the console or through its API. */
import { OPERATOR_SUBJECTS, type BodyField, type OperatorSubject } from '../actions/action.ts';
import type { ACTIONS, ConsoleAction, DestinationAction, OperatorAction, PoolAction } from '../actions/actions.ts';
import { fullName, type Repository } from '../root/repository.ts';
import type { Sender } from './webhook-events.ts';
import type { Deployment } from '../deployment/model.ts';
import type { Plan } from '../plan/model.ts';

/** A person asked for something in the console. The console claims nothing: control verifies the proof, and judges the person. */
export interface RequestEvent extends Sender {
  readonly kind: 'request';
  readonly repository: Repository;
  readonly request: ConsoleRequest;
  /** A `LoginProof`, sealed to control: whoever reaches Temporal must not use it. */
  readonly proof: string;
}

/** The request itself; the event names its repository. */
export type ConsoleRequest = RequestFor<Exclude<ConsoleAction, OperatorAction>>;

/** A union with a member for each of the actions. */
export type RequestFor<Name extends ConsoleAction> = {
  [K in Name]: { readonly action: K } & Place[Rows[K]['about']] & BodyOf<Rows[K]['console']['body']>;
}[Name];

type Rows = typeof ACTIONS;

/** How a request names what it is about. */
interface Place extends OperatorPlace {
  readonly plan: PlanPlace;
  readonly preview: PlanPlace;
  readonly deployment: DeploymentPlace;
  readonly lane: { readonly rootName: string };
  readonly 'pull-request': { readonly pullRequest: number };
  readonly repository: unknown;
}

type OperatorPlace = {
  readonly [Kind in OperatorSubject]: Readonly<Record<(typeof OPERATOR_SUBJECTS)[Kind], string>>;
};

interface DeploymentPlace {
  readonly rootName: string;
  /** Of a preview, its own id. */
  readonly deploymentId: string;
}

interface PlanPlace extends DeploymentPlace {
  /** SHA-256 of `seenFacts`, 64 hex digits: everything that the person was shown of the plan. */
  readonly seen: string;
}

type BodyOf<Fields extends Readonly<Record<string, BodyField>>> = {
  readonly [Field in keyof Fields]: BodyValues[Fields[Field]];
};

/** As `BodyField` says. */
interface BodyValues {
  readonly lock: string;
  readonly revision: string;
  readonly roots: readonly string[];
  readonly 'some-roots': readonly string[];
  readonly duration: string;
  readonly reason: string;
  readonly directories: readonly string[];
  readonly wave: number;
}

/** At most this many roots in one request: more are two. */
export const REQUESTED_ROOTS_LIMIT = 100;

/** By the name that the destination has in the server's file. */
export type DestinationRequest = RequestFor<DestinationAction>;

/** About all roots of a pool, or of all of them. */
export type PoolRequest = RequestFor<PoolAction>;

export type OperatorRequest = RequestFor<OperatorAction>;

/** The subject of a request of operators, and its name. */
export function operatorSubject(request: OperatorRequest): { readonly kind: OperatorSubject; readonly name: string } {
  const named: Readonly<Partial<Record<(typeof OPERATOR_SUBJECTS)[OperatorSubject], string>>> = request;
  // By its field: the action may be one of another release.
  const kind = OPERATOR_KINDS.find((one) => named[OPERATOR_SUBJECTS[one]] !== undefined) ?? 'pool';
  return { kind, name: named[OPERATOR_SUBJECTS[kind]] ?? '' };
}

const OPERATOR_KINDS = Object.keys(OPERATOR_SUBJECTS) as readonly OperatorSubject[]; // Of the table.

/** A person asked in the console for something that belongs to no repository. Proven and judged like the others. */
export interface OperatorRequestEvent extends Sender {
  readonly kind: 'operator-request';
  readonly request: OperatorRequest;
  /** A `LoginProof`, sealed to control. */
  readonly proof: string;
}

/** The purpose for which the proof of a request is sealed, besides its id. No full name of a repository is without a slash. */
export function sealedFor(request: Pick<RequestEvent, 'repository'> | Pick<OperatorRequestEvent, 'request'>): string {
  return 'repository' in request ? fullName(request.repository) : 'operators';
}

/** How a person proved to the console who they are. */
export type LoginProof =
  /** Anybody on the console's own machine. */
  | { readonly mode: 'local' }
  /** The access token that GitHub gave the person for our App. */
  | { readonly mode: 'github'; readonly token: string }
  /** The ID token of the company's OpenID provider. */
  | { readonly mode: 'oidc'; readonly idToken: string }
  /** What the company's login proxy asserted. */
  | { readonly mode: 'proxy'; readonly assertion: string }
  /** A token of a script. */
  | { readonly mode: 'token'; readonly token: string };

/**
 * Everything that a page shows of a plan and of its deployment. Somebody who reaches Temporal could tell the console of another
 * plan: then the person's answer names these facts, and control, which verifies signatures, finds others.
 */
export function seenFacts(
  { owner, name }: Pick<Repository, 'owner' | 'name'>,
  deployment: Deployment,
  plan: Plan,
): object {
  const { root, revision, trigger, rerun, force, requestedBy, pullRequest, warning, formerly } = deployment;
  const { name: rootName, dir, workspace } = root;
  const what = { rootName, dir, workspace, revision, trigger, rerun, force, requestedBy, pullRequest };
  const warnings = { warning, formerly: formerly?.rootName };
  return { owner, name, ...what, ...warnings, plan: plan.made.body };
}
