/** Why a deployment keeps waiting at the door `apply`, as control tells its workflow. */
export interface GateWait {
  readonly gate: string;
  /** For people: what it waits for, and who can end that. */
  readonly sentence: string;
  /** When the wait ends by itself, in epoch milliseconds. */
  readonly until?: number;
  /** An earlier attempt of the same request may have told the audit trail of a start. */
  readonly isRepeated?: true;
}
