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
  /** The SNS endpoint, when it is not AWS: without it, the standard AWS environment decides. Default region: that of the topic's ARN. */
  readonly sns?: { readonly endpoint?: string; readonly region?: string };
  /** Default: Google's own address. */
  readonly pubsub?: { readonly endpoint?: string };
  readonly http?: HttpLimits;
}

/** Whether events could be recorded. */
export type ProbedAudit =
  | { readonly kind: 'usable' }
  /** A permission to publish need not be one to ask. */
  | { readonly kind: 'unknown'; readonly sentence: string }
  /** `mayPass`: waiting may help; otherwise somebody has to change something. The sentence has no secret. */
  | { readonly kind: 'unusable'; readonly sentence: string; readonly mayPass: boolean };

/** How long a place that is spoken to by HTTP may take, and how often it is asked. */
export interface HttpLimits {
  readonly attempts: number;
  /** For each attempt, with all that it needs first, such as a token. */
  readonly answerMs: number;
  readonly pauseMs: number;
}
