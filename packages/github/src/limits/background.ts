/** Requests that nobody waits for: they wait themselves, and are asked for by whoever can try them again later. */

export interface BackgroundOptions {
  /** Nothing is begun after this; what GitHub is at then is waited for. */
  readonly begin?: AbortSignal;
  /** Gives up what is under way too: nobody knows then whether GitHub did it. */
  readonly signal?: AbortSignal;
}

/** Marks a request of octokit's. */
export class BackgroundMark {
  readonly begin: AbortSignal | undefined;

  constructor(begin: AbortSignal | undefined) {
    this.begin = begin;
  }
}

/** What `octokit.request` takes as `request`. The caller tries again, with what is newest by then. */
export function inBackground({ begin, signal }: BackgroundOptions) {
  return { background: new BackgroundMark(begin), retries: 0, ...(signal && { signal }) };
}

/** The mark of a request, if it has one; octokit hands options of requests on as they are, untyped. */
export function backgroundMark(options: { readonly request?: object }): BackgroundMark | undefined {
  const mark: unknown = options.request && Reflect.get(options.request, 'background');
  return mark instanceof BackgroundMark ? mark : undefined;
}
