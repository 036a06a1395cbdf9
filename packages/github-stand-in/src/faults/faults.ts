/** Faults that the real GitHub can have, switched on by hand. */
export type Fault = ApiFault | WebhookFault | MergeFault;

export type ApiFault = {
  /** Matched against `<METHOD> <path>` of API and git requests; by default, all match. */
  readonly route?: RegExp;
  /** Matched against the body as it was sent, for example to choose one check run of many by its `external_id`. */
  readonly body?: RegExp;
  /** How many requests the fault meets; by default, all until it is removed. */
  readonly times?: number;
  /** How many of each ten such requests the fault meets; by default, all. */
  readonly ofTen?: number;
} & (
  | { readonly kind: 'slow'; readonly ms: number }
  | { readonly kind: 'failure'; readonly status: 500 | 502 | 503 }
  /** GitHub refuses for good. */
  | { readonly kind: 'refusal'; readonly status: 401 | 403 | 404 | 422 }
  /** The status is 403 by default; without `retryAfterS`, GitHub does not say how long the limit lasts. */
  | { readonly kind: 'secondary rate limit'; readonly status?: 403 | 429; readonly retryAfterS?: number }
  /** The request is carried out, and the connection breaks before its answer. */
  | { readonly kind: 'lost answer' }
);

/** GitHub has not worked out yet whether a pull request can be merged. */
export interface MergeFault {
  readonly kind: 'mergeability unknown';
  /** How many answers the fault meets; by default, all until it is removed. */
  readonly times?: number;
}

export type WebhookFault = {
  /** `push`, `check_run`, …; by default, every event. */
  readonly event?: string;
  readonly times?: number;
} & (
  | { readonly kind: 'lost webhook' }
  | { readonly kind: 'duplicate webhook' }
  /** Holds back this many webhooks and sends them in reverse. */
  | { readonly kind: 'webhooks out of order'; readonly count: number }
);

export interface Faults {
  /** Switches a fault on; the returned function switches it off. */
  add(fault: Fault): () => void;
  clear(): void;
  /** Returns the faults that this request meets, and counts one use of each. */
  meetRequest(methodAndPath: string, body?: string): ApiFault[];
  /** Whether this answer has to say that GitHub does not know yet whether its pull request can be merged. */
  meetMergeability(): boolean;
  /** The fault that this webhook meets, if any. */
  meetWebhook(event: string): WebhookFault | undefined;
}

export function createFaults(): Faults {
  const active: { fault: Fault; left: number; seen: number }[] = [];
  const meet = <F extends Fault>(isMet: (fault: Fault) => fault is F): F[] =>
    active.flatMap((each) => {
      if (each.left === 0 || !isMet(each.fault)) return [];
      each.seen += 1;
      if (!isAmong(each.seen - 1, isApiFault(each.fault) ? each.fault.ofTen : undefined)) return [];
      each.left -= 1;
      return [each.fault];
    });
  return {
    add(fault) {
      const entry = { fault, left: fault.times ?? timesOf(fault), seen: 0 };
      active.push(entry);
      return () => {
        entry.left = 0;
      };
    },
    clear() {
      active.length = 0;
    },
    meetRequest: (methodAndPath, body = '') =>
      meet(
        (fault): fault is ApiFault =>
          isApiFault(fault) && (fault.route?.test(methodAndPath) ?? true) && (fault.body?.test(body) ?? true),
      ),
    meetMergeability: () => meet((fault): fault is MergeFault => fault.kind === 'mergeability unknown').length > 0,
    meetWebhook(event) {
      let met = false;
      return meet((fault): fault is WebhookFault => {
        if (met || !isWebhookFault(fault) || (fault.event ?? event) !== event) return false;
        met = true;
        return true;
      })[0];
    },
  };
}

/** Others in each ten, so that they fall on every kind of request. */
function isAmong(index: number, ofTen = 10): boolean {
  return (index * 7 + Math.floor(index / 10) * 3) % 10 < ofTen;
}

/** A fault that holds webhooks back meets only as many as it needs, because further ones would wait for ever. */
function timesOf(fault: Fault): number {
  return fault.kind === 'webhooks out of order' ? fault.count : Number.POSITIVE_INFINITY;
}

const WEBHOOK_FAULTS: readonly Fault['kind'][] = ['lost webhook', 'duplicate webhook', 'webhooks out of order'];

function isApiFault(fault: Fault): fault is ApiFault {
  return !isWebhookFault(fault) && fault.kind !== 'mergeability unknown';
}

function isWebhookFault(fault: Fault): fault is WebhookFault {
  return WEBHOOK_FAULTS.includes(fault.kind);
}
