/** Requests that people make in the console or through its API. */
import { fullName, type Repository } from '../repository.ts';
import type { Sender } from './webhook-events.ts';
import type { HostRequest } from '../host/host-request.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { Plan } from '../plan/plan.ts';
import { planFactsOf } from '../deployment/plan-outcome.ts';

/** A person asked for something in the console. The console claims nothing: control verifies the proof, and judges the person. */
export interface RequestEvent extends Sender {
  readonly kind: 'request';
  readonly repository: Repository;
  readonly request: ConsoleRequest;
  /** A `LoginProof`, sealed to control: whoever reaches Temporal must not use it. */
  readonly proof: string;
}

export type ConsoleRequest =
  PlanAnswer | UnlockRequest | CancelRequest | RerunRequested | DeployRequest | PlanAgainRequest;

/** An answer to a plan: the same as pressing the button of this name on GitHub. */
export interface PlanAnswer {
  readonly action: 'confirm' | 'reject' | 'override' | 'merge';
  readonly rootName: string;
  /** For `merge`, the id of the preview. */
  readonly deploymentId: string;
  /** SHA-256 of `seenFacts`, 64 hex digits: everything that the person was shown of the plan. */
  readonly seen: string;
}

export interface UnlockRequest {
  readonly action: 'unlock';
  readonly rootName: string;
  /** The deployment that had set the lock that the person was shown: another lock stays. */
  readonly deploymentId: string;
}

export interface CancelRequest {
  readonly action: 'cancel';
  readonly rootName: string;
  readonly deploymentId: string;
}

/** Deploys the revision of a deployment that failed once more. */
export interface RerunRequested {
  readonly action: 'rerun';
  readonly rootName: string;
  readonly deploymentId: string;
}

/** Deploys a revision of the deployed branch to some roots. */
export interface DeployRequest {
  readonly action: 'deploy';
  readonly rootNames: readonly string[];
  /** 40 hex digits. */
  readonly sha: string;
}

/** Plans a pull request again. */
export interface PlanAgainRequest {
  readonly action: 'plan';
  readonly pullRequest: number;
  /** Empty for all roots that the pull request modifies. */
  readonly rootNames: readonly string[];
}

/** At most this many roots in one request. */
export const REQUESTED_ROOTS_LIMIT = 100;

/** A person asked in the console for something about a host, which belongs to no repository. Proven and judged like the others. */
export interface HostRequestEvent extends Sender {
  readonly kind: 'host-request';
  readonly request: HostRequest;
  /** A `LoginProof`, sealed to control. */
  readonly proof: string;
}

/** What the proof of a request is sealed for, besides its id. No full name of a repository is without a slash. */
export function sealedFor(request: Pick<RequestEvent, 'repository'> | Pick<HostRequestEvent, 'request'>): string {
  return 'repository' in request ? fullName(request.repository) : 'hosts';
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
 * Everything that a page shows of a plan and of its deployment. Whoever reaches Temporal could tell the console of another plan:
 * then the person's answer names these facts, and control, which verifies signatures, finds others.
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
  return { owner, name, ...what, ...warnings, plan: planFactsOf(deployment, plan) };
}
