/** Requests that no person waits for. They wait when GitHub's limits leave no room, and the most important goes first. */
import type { BackgroundOptions, Priority } from '@nereid/forge';

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
