/** Requests that no person waits for. They wait when GitHub's limits leave no room, and the most important goes first. */

/**
 * `final`: a deployment's end, or a button. `first`: its first check run, or the one that a merge queue waits for. `progress`:
 * content that is soon replaced by newer content. `preview`: anything of a pull request, which leaves the turns to deployments.
 * `look`: who may read a repository, for pages, which go on for a while with what was said before.
 */
export type Priority = 'final' | 'first' | 'progress' | 'preview' | 'look';

export interface BackgroundOptions {
  /** No request begins after this; requests that were sent before are waited for. */
  readonly begin?: AbortSignal;
  /** Also gives up requests that were sent: nobody knows then whether GitHub did them. */
  readonly signal?: AbortSignal;
}

/** The requests that one call makes, as seen from one of them. */
export interface Conversation extends BackgroundOptions {
  readonly priority: Priority;
  /** The same for all requests of the call, and when the call comes back: a reserved turn is found by it. */
  readonly key: string;
  /** Points of the requests that follow this one in the same turn. */
  readonly restPoints: number;
  /** Points of all requests of the call when it comes back. */
  readonly againPoints: number;
}

/** Marks an octokit request. */
class BackgroundMark {
  readonly conversation: Conversation;

  constructor(conversation: Conversation) {
    this.conversation = conversation;
  }
}

/** The value of `request` for `octokit.request`. */
export function inBackground(conversation: Conversation) {
  const { signal } = conversation;
  return { background: new BackgroundMark(conversation), ...(signal && { signal }) };
}

/** The conversation of a background request; octokit passes the options of requests on as they are, untyped. */
export function conversationOf(options: { readonly request?: object }): Conversation | undefined {
  const mark: unknown = options.request && Reflect.get(options.request, 'background');
  return mark instanceof BackgroundMark ? mark.conversation : undefined;
}
