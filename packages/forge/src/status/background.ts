/** Requests that no person waits for. They wait when the limits of the forge leave no room, and the most important goes first. */

/**
 * `final`: a deployment's end, or a question to a person. `first`: its first status, or the one that a merge queue waits for.
 * `progress`: content that is soon replaced by newer content. `preview`: anything of a pull request, which leaves the turns to
 * deployments. `environment`: the forge's list of deployments, which repeats what statuses say, and answers to its own runs. `look`: who may read a repository,
 * for pages, which go on for a while with what was said before.
 */
export type Priority = 'final' | 'first' | 'progress' | 'preview' | 'environment' | 'look';

export interface BackgroundOptions {
  /** No request begins after this; requests that were sent before are waited for. */
  readonly begin?: AbortSignal;
  /** Also gives up requests that were sent: nobody knows then whether the forge did them. */
  readonly signal?: AbortSignal;
  /** A request whose turn comes later than this, in milliseconds, is left for later at once. The forge has a default. */
  readonly patienceMs?: number;
}
