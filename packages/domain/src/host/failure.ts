export interface Failure {
  /** One line for a title, at most 200 characters. */
  readonly summary: string;
  /** The last lines of the output of Terraform or the step, at most 60 of at most 500 characters. Hostile. */
  readonly lines: readonly string[];
  /** Present when Terraform could not lock the state, because somebody else has locked it. */
  readonly stateLock?: StateLock;
  /** The host's, over `failureFacts`. Absent when a workflow gave up: then the summary is the reason, and there are no lines. */
  readonly signature?: string;
}

/** The lock of a state that Terraform met, as far as it says. Each text is hostile. */
export interface StateLock {
  /** Of the form `isLockId`. */
  readonly id: string;
  /** At most 100 characters, like `created`. */
  readonly who?: string;
  readonly created?: string;
}

/** Terraform's ids are UUIDs, those of GCS are numbers. It is an argument of a command, so it is no flag. */
export function isLockId(text: string): boolean {
  return /^(?!-)[A-Za-z0-9._:/-]{1,128}$/.test(text);
}

/** What a host signs: why the plan or the apply of that order failed. */
export function failureFacts(
  deploymentId: string,
  order: string | undefined,
  { summary, lines, stateLock }: Failure,
): object {
  return { deploymentId, order, summary, lines, stateLock };
}
