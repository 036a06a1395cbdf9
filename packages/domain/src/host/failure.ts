import type { Signed } from '../signed.ts';

export interface Failure {
  /** One line for a title, at most 200 characters. */
  readonly summary: string;
  /** The last lines of the output of Terraform or the step, at most 60 of at most 500 characters. Hostile. */
  readonly lines: readonly string[];
  /** Present when Terraform could not lock the state, because somebody else has locked it. */
  readonly stateLock?: StateLock;
}

/** A host's statement of why the plan or the apply of that order failed. */
export interface HostFailure extends Failure {
  readonly version: 1;
  readonly deploymentId: string;
  /** The signature of the order. */
  readonly order: string;
}

/** As its host signed it. Nobody signs why a workflow gave up: then the summary is the reason, and there are no lines. */
export type SaidFailure = Signed<HostFailure> | { readonly body: Failure; readonly signature?: never };

/** The same with other words. Then it has the signature of those before. */
export function withWords(failure: SaidFailure, words: Partial<Failure>): SaidFailure {
  if (failure.signature === undefined) return { body: { ...failure.body, ...words } };
  return { body: { ...failure.body, ...words }, signature: failure.signature };
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
