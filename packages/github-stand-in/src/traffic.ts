/** Counts the App's requests, and keeps those that GitHub would have refused. */
export interface Traffic {
  /** To be called when a request comes in; `end` when it is answered. */
  begin(): void;
  end(): void;
  count(route: string, status: number): void;
  refuse(refused: RefusedRequest): void;
  counts(): RequestCount[];
  /** The largest number of requests that were under way at once. */
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
  /** `invalid` when it breaks GitHub's description; `not in stand-in` when we do not know the route, though GitHub may. */
  readonly kind: 'invalid' | 'not in stand-in';
  readonly method: string;
  readonly path: string;
  /** A sentence per problem. */
  readonly reasons: readonly string[];
  /** The first 2,000 characters of the body. */
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
