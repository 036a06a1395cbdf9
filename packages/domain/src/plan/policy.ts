/** Policies: rules that judge every plan, and the people who may override their verdict. */

/** `required`: a plan that it denies is applied only after an override. `advisory`: it is shown, and holds up nothing. */
export type PolicyEnforcement = 'advisory' | 'required';

/** The verdict of a policy on a plan, as the host of the plan found it. All results of a plan have at most 16 KiB. */
export interface PolicyResult {
  /** Unique in the server's file, at most 100 characters. */
  readonly name: string;
  readonly enforce: PolicyEnforcement;
  /** `error`: it could not be evaluated, which counts as a denial. */
  readonly verdict: 'passed' | 'denied' | 'error';
  /** Why it denies, or why it could not be evaluated: lines of at most 500 characters. Values of the plan: hostile. */
  readonly denials: readonly string[];
  /** Like `denials`; they deny nothing. */
  readonly warnings: readonly string[];
  /** How many more lines there were. */
  readonly omitted?: number;
  /** Who may override it, in words, at most 300 characters; absent for an advisory one. */
  readonly owners?: string;
}

/**
 * Signal `policy-override`, in an envelope of control, after it asked the forge: an owner of policies lets a plan go on that they
 * deny.
 */
export interface PolicyOverride {
  readonly version: 1;
  readonly requestId: string;
  readonly deploymentId: string;
  /** The digest of the plan, all 64 hex digits. */
  readonly digest: string;
  /** The names of the overridden policies. */
  readonly policies: readonly string[];
  /** Login on the forge. */
  readonly by: string;
  /** The forge's id of the same person, where it gave one. */
  readonly byId?: number;
  /** ISO 8601. */
  readonly at: string;
}
