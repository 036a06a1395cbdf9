/** The content of a check run, in GitHub's fields; an adapter maps them to the fields of its forge. */
export interface CheckRunContent {
  readonly name: string;
  readonly headSha: string;
  /** The deployment's id; empty for `nereid/config`. */
  readonly externalId: string;
  readonly detailsUrl?: string;
  readonly status: 'queued' | 'in_progress' | 'completed';
  /** Present when, and only when, `status` is `completed`. */
  readonly conclusion?: CheckRunConclusion;
  /** ISO 8601, for a completed check run. When it is absent, the time of each write counts. */
  readonly completedAt?: string;
  readonly title: string;
  /** Markdown, at most 65,535 bytes; so is `text`. */
  readonly summary: string;
  readonly text?: string;
  /** At most 3, and on completed check runs only; none where the forge has no buttons. */
  readonly actions: readonly Button[];
}

export type CheckRunConclusion = 'success' | 'failure' | 'neutral' | 'cancelled' | 'timed_out' | 'action_required';

export interface Button {
  /** At most 20 characters, like `identifier`. */
  readonly label: string;
  /** At most 40 characters. */
  readonly description: string;
  readonly identifier: string;
}
