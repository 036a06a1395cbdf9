/** What the App has asked, and which of it GitHub would have refused. */
export interface Traffic {
  /** A request came in; `end` when it was answered. */
  begin(): void;
  end(): void;
  count(route: string, status: number): void;
  refuse(refused: RefusedRequest): void;
  counts(): RequestCount[];
  /** The most requests that were under way together. */
  mostAtOnce(): number;
  refused(): readonly RefusedRequest[];
  reset(): void;
}

export interface RequestCount {
  /** `GET /repos/{owner}/{repo}`, or `git upload-pack`. */
  readonly route: string;
  readonly status: number;
  readonly count: number;
}

export interface RefusedRequest {
  /** `invalid`: against GitHub's description. `not in stand-in`: we do not know the route; GitHub may. */
  readonly kind: 'invalid' | 'not in stand-in';
  readonly method: string;
  readonly path: string;
  /** A sentence per problem. */
  readonly reasons: readonly string[];
  /** The first 2,000 characters of what was sent. */
  readonly body: string;
}

/** Enough to explain a failed test; a client that loops must not fill the memory. */
const REFUSED_LIMIT = 200;

export function createTraffic(): Traffic {
  const counts = new Map<string, RequestCount>();
  const refused: RefusedRequest[] = [];
  let underWay = 0;
  let mostAtOnce = 0;
  return {
    begin() {
      underWay += 1;
      mostAtOnce = Math.max(mostAtOnce, underWay);
    },
    end() {
      underWay -= 1;
    },
    count(route, status) {
      const key = `${status} ${route}`;
      counts.set(key, { route, status, count: (counts.get(key)?.count ?? 0) + 1 });
    },
    refuse(request) {
      if (refused.length < REFUSED_LIMIT) refused.push(request);
    },
    counts: () => [...counts.values()].sort((one, other) => other.count - one.count),
    mostAtOnce: () => mostAtOnce,
    refused: () => [...refused],
    reset() {
      mostAtOnce = underWay;
      counts.clear();
      refused.length = 0;
    },
  };
}
