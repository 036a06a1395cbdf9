/** The names and buttons of our check runs. Only this file builds and parses them. */
import { type CheckRunAction, type PlanAction, ACTIONS, CHECK_RUN_ACTIONS } from '../actions/actions.ts';

/** The name of the check run that shows the problems of a revision's configuration. */
export const CONFIG_CHECK_RUN_NAME = 'nereid/config';

/** The name of the check run that names the roots that a merge takes away. */
export const REMOVED_CHECK_RUN_NAME = 'nereid/removed';

/** The name of the check run that shows all previews of a pull request. */
export const PLAN_CHECK_RUN_NAME = 'nereid/plan';

/** The name of the check run that shows all deployments of a revision. */
export const ROLLOUT_CHECK_RUN_NAME = 'nereid/rollout';

const DEPLOY = 'nereid/deploy: ';

const PREVIEW = `${PLAN_CHECK_RUN_NAME}: `;

/** `nereid/deploy: <root>`: the name of the check run of one root. */
export function checkRunName(rootName: string): string {
  return `${DEPLOY}${rootName}`;
}

/** `nereid/plan: <root>`: the name of the check run of one root's preview. */
export function previewCheckRunName(rootName: string): string {
  return `${PREVIEW}${rootName}`;
}

/** The inverse of `previewCheckRunName`; undefined when the name belongs to another check run. */
export function parsePreviewCheckRunName(name: string): string | undefined {
  return name.startsWith(PREVIEW) && name.length > PREVIEW.length ? name.slice(PREVIEW.length) : undefined;
}

/** The inverse of `checkRunName`; undefined when the name belongs to another check run. */
export function parseCheckRunName(name: string): string | undefined {
  return name.startsWith(DEPLOY) && name.length > DEPLOY.length ? name.slice(DEPLOY.length) : undefined;
}

/** The actions that have a button on check runs, and those of them that name a plan. */
type ButtonKind = CheckRunAction;
export type PlanKind = CheckRunAction & PlanAction;

/**
 * A button about a plan. `mark` is the beginning of the host's signature of that plan: code of a root could look for two plans
 * whose digests begin alike, but nobody without the host's key knows how a signature begins.
 */
export type PlanButton = { [K in PlanKind]: { readonly kind: K; readonly mark: string } }[PlanKind];

/** A pressed button. */
export type PressedButton = PlanButton | { readonly kind: Exclude<ButtonKind, PlanKind> };

/** GitHub's limit for an identifier: `confirm.` and 12 characters are exactly as long. */
const IDENTIFIER_LENGTH = 20;

const MOST_CHARACTERS = 12;

/** The button of a plan that a host signed. One that nobody signed has none. */
export function planButton(kind: PlanKind, { signature = '' }: SignedPlan): PlanButton | undefined {
  const { bytes } = SIGNATURE.exec(signature)?.groups ?? {};
  return bytes === undefined ? undefined : { kind, mark: bytes.slice(0, markLength(kind)) };
}

/** Whether the button belongs to this plan. It says nothing about who signed the plan. */
export function isButtonOf({ kind, mark }: PlanButton, plan: SignedPlan): boolean {
  return planButton(kind, plan)?.mark === mark;
}

interface SignedPlan {
  /** The host's. */
  readonly signature?: string;
}

/** A detached JWS (RFC 7515), exactly as it is verified: a header, no payload, 64 bytes in base64url. */
const SIGNATURE = /^[\w-]+\.\.(?<bytes>[\w-]{85}[AQgw])$/;

/** `confirm.<12 characters>`, `reject.<12>`, `merge.<12>`, `override.<11>` or `unlock`. */
export function buttonIdentifier(button: PressedButton): string {
  return 'mark' in button ? `${button.kind}.${button.mark}` : button.kind;
}

/** The inverse of `buttonIdentifier`; undefined when we have no such button. */
export function parseButtonIdentifier(identifier: string): PressedButton | undefined {
  const { kind, mark } = /^(?<kind>[a-z]+)(?:\.(?<mark>[\w-]+))?$/.exec(identifier)?.groups ?? {};
  if (kind === undefined || !isKind(kind)) return undefined;
  if (isAboutPlan(kind)) return mark?.length === markLength(kind) ? { kind, mark } : undefined;
  return mark === undefined ? { kind } : undefined;
}

/** Returns the action whose button gives this answer. Any answer but an approval belongs to Reject. */
export function reviewAction(answer: string): 'confirm' | 'reject' {
  return answer === ACTIONS.confirm.checkRun.answer ? 'confirm' : 'reject';
}

function isKind(kind: string): kind is ButtonKind {
  return (CHECK_RUN_ACTIONS as readonly string[]).includes(kind);
}

function isAboutPlan(kind: ButtonKind): kind is PlanKind {
  const { about } = ACTIONS[kind];
  return about === 'plan' || about === 'preview';
}

function markLength(kind: PlanKind): number {
  return Math.min(MOST_CHARACTERS, IDENTIFIER_LENGTH - `${kind}.`.length);
}

export interface CheckRunRef {
  readonly id: number;
  /** GitHub shows buttons only on completed check runs, and a completed one is not reopened. */
  readonly completed: boolean;
  /** It says that the deployment goes on in a newer check run. */
  readonly superseded?: true;
}

/** The known state of a deployment's check run, besides the numbers in `checkRuns`. */
export interface Reported {
  /** Digest of its content. Absent when the content is not known; then the check run is written. */
  readonly digest?: string;
  /** A check run may have been created although the answer was lost. */
  readonly creationUncertain?: true;
  /** The terraform workflow of the deployment writes the check run. */
  readonly isHandedOver?: true;
}
