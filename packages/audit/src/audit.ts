import type { TrailEvent } from '@nereid/domain/trail';

/** The audit trail: every press and every apply, with person and time. */
export interface Audit {
  /**
   * Records one event. Once this returns, the event is stored. Events with the same id are the same event, so recording
   * one again after a lost answer is safe. Throws `AuditUnavailableError`.
   */
  record(event: TrailEvent): Promise<void>;
  /** Releases files and connections. Record nothing afterwards. */
  close(): void;
}

export interface AuditOptions {
  /** The SNS endpoint, when it is not AWS. Without it, the standard AWS environment decides. */
  readonly endpoint?: string;
  /** Default: the region in the topic's ARN. */
  readonly region?: string;
}
