/** All actions. Buttons, the API, verbs of the command line, comments, permissions and the trail derive from these rows. */
import { OPERATOR_SUBJECTS, type ActionRow, type OperatorSubject } from './action.ts';
import { applyForce } from './apply-force.ts';
import { apply } from './apply.ts';
import { breakGlass } from './break-glass.ts';
import { cancel } from './cancel.ts';
import { confirm } from './confirm.ts';
import { deploy } from './deploy.ts';
import { drain } from './operators/drain.ts';
import { extend } from './extend.ts';
import { forceUnlock } from './force-unlock.ts';
import { merge } from './merge.ts';
import { override } from './override.ts';
import { plan } from './plan.ts';
import { reject } from './reject.ts';
import { rerun } from './rerun.ts';
import { resume } from './operators/resume.ts';
import { sendAgain } from './operators/send-again.ts';
import { stopPool } from './operators/stop-pool.ts';
import { thawPool } from './operators/thaw-pool.ts';
import { skipSoak } from './skip-soak.ts';
import { stop } from './stop.ts';
import { thaw } from './thaw.ts';
import { unlock } from './unlock.ts';

/** In the order of help. */
export const ACTIONS = {
  confirm,
  reject,
  override,
  extend,
  merge,
  unlock,
  rerun,
  deploy,
  cancel,
  plan,
  apply,
  apply_force: applyForce,
  force_unlock: forceUnlock,
  stop,
  thaw,
  break_glass: breakGlass,
  skip_soak: skipSoak,
  drain,
  resume,
  send_again: sendAgain,
  stop_pool: stopPool,
  thaw_pool: thawPool,
} as const satisfies Readonly<Record<string, ActionRow>>;

type Rows = typeof ACTIONS;
export type ActionName = keyof Rows;

/** The names of the rows that have these parts. */
export type ActionsWith<Part> = { [Name in ActionName]: Rows[Name] extends Part ? Name : never }[ActionName];

/** The requests that the console accepts, for its pages and for the API alike. */
export type ConsoleAction = ActionsWith<{ readonly console: object }>;
export type HostAction = ActionsWith<{ readonly about: 'host' }>;
export type DestinationAction = ActionsWith<{ readonly about: 'destination' }>;
export type PoolAction = ActionsWith<{ readonly about: 'pool' }>;
/** It is about no repository. */
export type OperatorAction = ActionsWith<{ readonly about: OperatorSubject }>;
/** Its button names one plan: pressed on an older check run, it does nothing. */
export type PlanAction = ActionsWith<{ readonly about: 'plan' | 'preview' }>;
/** The page of a deployment offers it. */
export type OfferedAction = ActionsWith<{
  readonly about: 'plan' | 'preview' | 'deployment' | 'lane';
  readonly console: object;
}>;
/** It has a button on check runs. */
export type CheckRunAction = ActionsWith<{ readonly checkRun: object }>;
export type CommentAction = ActionsWith<{ readonly comment: object }>;

/** A rule for what is done to roots, which is also the action's name in the trail. */
export type Action = Rows[Exclude<ActionName, OperatorAction>]['rule'];
type PermittedAction = ActionsWith<{ readonly judgedBy: 'permissions' }>;
/** A rule that stands in the server's file. */
export type PermissionKey = Rows[PermittedAction]['rule'];

/** The actions that the token of a script may permit: `read` is everything that a page shows, the others are the actions of buttons. */
export type TokenScope = 'read' | Rows[ConsoleAction]['console']['scope'];

const ALL = Object.entries(ACTIONS) as readonly (readonly [ActionName, ActionRow])[]; // The keys of the table.

const NOT_OFFERED: readonly string[] = ['pull-request', 'repository', ...Object.keys(OPERATOR_SUBJECTS)];

export const CHECK_RUN_ACTIONS = namesWith(({ checkRun }) => checkRun !== undefined) as readonly CheckRunAction[];
export const HOST_ACTIONS = namesWith(({ about }) => about === 'host') as readonly HostAction[];
export const CONSOLE_ACTIONS = namesWith((row) => row.console !== undefined) as readonly ConsoleAction[];
export const OFFERED_ACTIONS = CONSOLE_ACTIONS.filter(
  (name) => !NOT_OFFERED.includes(ACTIONS[name].about),
) as readonly OfferedAction[];
export const COMMENT_ACTIONS = namesWith(({ comment }) => comment !== undefined) as readonly CommentAction[];
const PERMITTED_ACTIONS = namesWith(({ judgedBy }) => judgedBy === 'permissions') as readonly PermittedAction[];

export const TOKEN_SCOPES: readonly TokenScope[] = [
  'read',
  ...new Set(CONSOLE_ACTIONS.map((name) => ACTIONS[name].console.scope)),
];

export const PERMISSION_KEYS: readonly PermissionKey[] = [
  ...new Set(PERMITTED_ACTIONS.map((name) => ACTIONS[name].rule)),
];

/** Whether this release knows the action. The request for it may come from another one. */
export function isConsoleAction(name: string): name is ConsoleAction {
  return (CONSOLE_ACTIONS as readonly string[]).includes(name);
}

/** The names of actions in the trail, each once. */
export const TRAIL_ACTIONS: readonly string[] = [...new Set(ALL.map(([, { rule }]) => rule))];

/** The effect of a rule, in the words of its first action. */
export function rowOfRule(rule: Action | OperatorAction): ActionRow {
  const found = ALL.find(([, row]) => row.rule === rule);
  if (found === undefined) throw new Error(`expected an action under the rule ${rule}, found none`);
  return found[1];
}

function namesWith(has: (row: ActionRow) => boolean): readonly ActionName[] {
  return ALL.filter(([, row]) => has(row)).map(([name]) => name);
}
