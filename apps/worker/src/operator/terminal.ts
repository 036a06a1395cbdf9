import type { Report } from './record-patiently.ts';

export interface Outcome {
  readonly isDone: boolean;
  /** For the operator. */
  readonly text: string;
}

export interface Terminal {
  /** Progress, while the operator waits. */
  readonly report: Report;
  /** For tests: the first pause before the audit trail is tried again. */
  readonly minTimeout?: number;
}
