/** All actions. Buttons, the API, verbs of the command line, comments, permissions and the trail derive from these rows. */
import type { ActionRow } from './action.ts';
import { applyForce } from './apply-force.ts';
import { apply } from './apply.ts';
import { cancel } from './cancel.ts';
import { confirm } from './confirm.ts';
import { deploy } from './deploy.ts';
import { drain } from './drain.ts';
import { forceUnlock } from './force-unlock.ts';
import { merge } from './merge.ts';
import { override } from './override.ts';
import { plan } from './plan.ts';
import { reject } from './reject.ts';
import { rerun } from './rerun.ts';
import { resume } from './resume.ts';
import { unlock } from './unlock.ts';

/** In the order of help. */
export const ACTIONS = {
  confirm,
  reject,
  override,
  merge,
  unlock,
  rerun,
  deploy,
  cancel,
  plan,
  apply,
  apply_force: applyForce,
  force_unlock: forceUnlock,
  drain,
  resume,
} as const satisfies Readonly<Record<string, ActionRow>>;

type Rows = typeof ACTIONS;
export type ActionName = keyof Rows;

/** The names of the rows that have these parts. */
export type ActionsWith<Part> = { [Name in ActionName]: Rows[Name] extends Part ? Name : never }[ActionName];

/** What the console takes, for its pages and for the API alike. */
export type ConsoleAction = ActionsWith<{ readonly console: object }>;
export type HostAction = ActionsWith<{ readonly about: 'host' }>;
/** Its button names one plan: pressed on an older check run, it does nothing. */
export type PlanAction = ActionsWith<{ readonly about: 'plan' | 'preview' }>;
/** It has a button on check runs. */
export type CheckRunAction = ActionsWith<{ readonly checkRun: object }>;
export type CommentAction = ActionsWith<{ readonly comment: object }>;

/** A rule for what is done to roots, which is also the action's name in the trail. */
export type Action = Rows[Exclude<ActionName, HostAction>]['rule'];
/** An action whose rule stands in the server's file. */
export type PermissionKey = Rows[ActionsWith<{ readonly judges: 'permissions' }>]['rule'];

/** What a token of a script may permit: `read` is everything that a page shows, the others are what a button does. */
export type TokenScope = 'read' | Rows[ConsoleAction]['console']['scope'];

const ALL = Object.entries(ACTIONS) as readonly (readonly [ActionName, ActionRow])[]; // The keys of the table.

export const CHECK_RUN_ACTIONS = namesOf<CheckRunAction>((row) => row.checkRun !== undefined);
export const CONSOLE_ACTIONS = namesOf<ConsoleAction>((row) => row.console !== undefined);
export const COMMENT_ACTIONS = namesOf<CommentAction>((row) => row.comment !== undefined);
export const HOST_ACTIONS = namesOf<HostAction>(({ about }) => about === 'host');

export const TOKEN_SCOPES: readonly TokenScope[] = [
  'read',
  ...new Set(CONSOLE_ACTIONS.map((name) => ACTIONS[name].console.scope)),
];

export const PERMISSION_KEYS: readonly PermissionKey[] = [
  ...new Set(
    namesOf<ActionsWith<{ readonly judges: 'permissions' }>>(({ judges }) => judges === 'permissions').map(
      (name) => ACTIONS[name].rule,
    ),
  ),
];

/** The names of actions in the trail, each once. */
export const RULES: readonly (Action | HostAction)[] = [
  ...new Set(ALL.map(([, { rule }]) => rule as Action | HostAction)),
]; // Of the rows.

/** What each rule is about, in words; those of its first action. */
export function rowOfRule(rule: Action | HostAction): ActionRow {
  const found = ALL.find(([, row]) => row.rule === rule);
  if (found === undefined) throw new Error(`expected an action under the rule ${rule}, found none`);
  return found[1];
}

function namesOf<Name extends ActionName>(has: (row: ActionRow) => boolean): readonly Name[] {
  return ALL.filter(([, row]) => has(row)).map(([name]) => name as Name); // `Name` are those with this part.
}
