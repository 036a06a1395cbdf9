/** What people can have done. One row says all about one action but its effect, which is the worker's. */

/**
 * The subjects of operators, which belong to no repository, and the field that names each: in requests, in the audit trail and in the
 * API. `destination`: of notifications. `pool`: of hosts, or all pools.
 */
export const OPERATOR_SUBJECTS = { host: 'hostId', destination: 'destination', pool: 'pool' } as const;

export type OperatorSubject = keyof typeof OPERATOR_SUBJECTS;

/**
 * The subject of an action. `plan`: the plan of a deployment, as the person saw it. `preview`: the plan of a pull request.
 * `repository`: revisions of its deployed branch.
 */
export type Subject = 'plan' | 'preview' | 'deployment' | 'lane' | 'pull-request' | 'repository' | OperatorSubject;

/**
 * The fields of a request besides its subject. `lock`: the id of the deployment that set the lock which the person was shown.
 * `revision`: 40 hex digits. `roots`: names; `some-roots`: none for all that the pull request modifies. `duration`: like `2h`.
 * `reason`: a line. `directories`: globs; none for all. `wave`: its number, from 1.
 */
export type BodyField = 'lock' | 'revision' | 'roots' | 'some-roots' | 'duration' | 'reason' | 'directories' | 'wave';

/** Of a `reason`, in characters. As the other limits: the API refuses more, and so does control, which others can ask as well. */
export const REASON_LIMIT = 200;

/** More are a glob. */
export const DIRECTORIES_LIMIT = 20;

export interface ActionRow {
  readonly about: Subject;
  /**
   * In addresses of the API, on the command line and in comments. Two actions of the console may share one only if they are about
   * different things that a person names alike on the command line, as a plan and a preview are: what is named says which is meant.
   */
  readonly verb: string;
  /** On its button; at most 20 characters. */
  readonly label: string;
  /** Of its button; at most 40 characters. */
  readonly description: string;
  /** What it does, for help and for the API: a clause that begins with a verb. */
  readonly summary: string;

  /** The name of the rule that judges the person, which is also the action's name in the audit trail. */
  readonly rule: string;
  /**
   * `permissions`: rules of the server's file, by its own name. `apply_force`: the rule of that name there. `owners`: those of the
   * policies. `operators`: those of the console.
   */
  readonly judgedBy: 'permissions' | 'apply_force' | 'owners' | 'operators';
  /** The permission on the repository that it takes without any rule; default: write. */
  readonly least?: 'admin';
  /** Ends "@ada may not …". */
  readonly infinitive: string;
  /** In the trail, after "@ada": "cancelled the deployment". */
  readonly done: string;
  /** In the trail, after "@ada wanted to": "cancel the deployment". */
  readonly wanted: string;

  /** Its button on check runs; the console has one for each action that it takes. `answer`: it reviews the plan. */
  readonly checkRun?: { readonly answer?: 'approved' | 'rejected' };
  /** As the console's button looks; plain without. */
  readonly look?: 'primary' | 'danger';
  /** How the console and the command line take it. */
  readonly console?: ConsoleUse;
  /** How comments take it: `nereid <verb> [ROOT …]`, or `nereid <verb> ROOT LOCK`. */
  readonly comment?: CommentUse;
}

export interface CommentUse {
  readonly words: 'roots' | 'root-and-lock';
  /** Tells it from another action with the same verb. */
  readonly flag?: `-${string}`;
  /** Where those belong that its verb does not have. */
  readonly insteadOfFlags?: string;
  /** What it does, in the list of commands. */
  readonly help: string;
}

export interface ConsoleUse {
  /** What a token of a script has to permit. */
  readonly scope: string;
  readonly body: Readonly<Record<string, BodyField>>;
  /** What is printed by `nereid help <verb>`, besides what holds for all actions about the same. */
  readonly details?: readonly string[];
  /** `words` follow `nereid <verb>`. */
  readonly examples: readonly { readonly words: string; readonly does: string }[];
  /** Asked on a terminal before a plan is answered. */
  readonly question?: string;
  /** It leads to the end of a deployment, for which `--wait` waits. */
  readonly waits?: boolean;
  /** The deployment that is meant may have ended: of a lane, it is the last one where none runs. */
  readonly isOfEnded?: boolean;
}
