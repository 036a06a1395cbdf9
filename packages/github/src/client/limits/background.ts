/** Requests that no person waits for. They wait for GitHub's limits themselves, the most important first. */

/**
 * `final`: a deployment's end, or a button. `first`: its first check run. `progress`: everything that is soon replaced by
 * something newer.
 */
export type Priority = 'final' | 'first' | 'progress';

export interface BackgroundOptions {
  /** Nothing begins after this; requests that were sent by then are waited for. */
  readonly begin?: AbortSignal;
  /** Gives up requests that were sent, too: nobody knows then whether GitHub did them. */
  readonly signal?: AbortSignal;
}

/** The requests that one call makes, as one of them is made. */
export interface Conversation extends BackgroundOptions {
  readonly priority: Priority;
  /** The same for all its requests, and when it comes back: a reserved turn is found by it. */
  readonly key: string;
  /** GitHub's points of the requests that follow this one: they go in the same turn. */
  readonly restPoints: number;
  /** Of all requests when it comes back. */
  readonly againPoints: number;
}

/** Marks a request of octokit's. */
class BackgroundMark {
  readonly conversation: Conversation;

  constructor(conversation: Conversation) {
    this.conversation = conversation;
  }
}

/** The value of `request` in a call of `octokit.request`. The caller tries again, with what is newest by then. */
export function inBackground(conversation: Conversation) {
  const { signal } = conversation;
  return { background: new BackgroundMark(conversation), retries: 0, ...(signal && { signal }) };
}

/** The conversation of a request in the background; octokit hands options of requests on as they are, untyped. */
export function conversationOf(options: { readonly request?: object }): Conversation | undefined {
  const mark: unknown = options.request && Reflect.get(options.request, 'background');
  return mark instanceof BackgroundMark ? mark.conversation : undefined;
}
