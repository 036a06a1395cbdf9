import { WAIT_REASONS, type WaitReason } from '@nereid/domain/deployment';
import { Gauge, type Registry } from 'prom-client';

export interface Waiting {
  /** `owner/name`. */
  readonly repository: string;
  readonly reason: WaitReason;
  /** Epoch milliseconds. */
  readonly since: number;
}

/** The findings of one look. */
export interface FoundWaits {
  /** Every deployment that waits. */
  readonly waiting: readonly Waiting[];
  /** Lanes whose workflow runs, by state. */
  readonly lanes: Readonly<Record<string, number>>;
  /** Deployments whose workflow runs, by status; previews, too. */
  readonly deployments: Readonly<Record<string, number>>;
}

/** Another worker may make the next look, so these numbers expire after a few rounds of a minute. */
const TRUE_FOR_MS = 3 * 60_000;

/** Those with the longest queues. The others are one series together, because a label needs a bound. */
const REPOSITORIES = 20;

const OTHERS = 'other';

/** Returns a function that records the result of each look. The ages are those of the moment of a scrape. */
export function measureWaits(registry: Registry): (found: FoundWaits) => void {
  let last: { readonly found: FoundWaits; readonly at: number } | undefined;

  function gauge(
    name: string,
    help: string,
    label: string,
    valuesOf: (found: FoundWaits) => Iterable<[string, number]>,
  ) {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      collect() {
        this.reset();
        if (last === undefined || Date.now() - last.at > TRUE_FOR_MS) return;
        for (const [key, value] of valuesOf(last.found)) this.set({ [label]: key }, value);
      },
    });
  }

  gauge('nereid_waiting_deployments', 'Deployments that wait, by reason.', 'reason', (found) =>
    counts(byReason(found)),
  );
  gauge(
    'nereid_waiting_oldest_seconds',
    'How long the deployment that has waited longest has waited, by reason.',
    'reason',
    (found) => ages(byReason(found)),
  );
  gauge(
    'nereid_queue_deployments',
    `Deployments that wait, of the ${REPOSITORIES} repositories with most of them.`,
    'repository',
    (found) => counts(byRepository(found)),
  );
  gauge(
    'nereid_queue_oldest_seconds',
    `How long the deployment that has waited longest has waited, of the ${REPOSITORIES} repositories with most of them.`,
    'repository',
    (found) => ages(byRepository(found)),
  );
  gauge('nereid_lanes', 'Lanes that are at work, by state.', 'state', ({ lanes }) => Object.entries(lanes));
  gauge(
    'nereid_deployments_under_way',
    'Deployments that have left their queue, by status; previews, too.',
    'status',
    ({ deployments }) => Object.entries(deployments),
  );
  return (found) => {
    last = { found, at: Date.now() };
  };
}

type Groups = ReadonlyMap<string, readonly Waiting[]>;

function byReason({ waiting }: FoundWaits): Groups {
  return new Map(WAIT_REASONS.map((reason) => [reason, waiting.filter((one) => one.reason === reason)]));
}

function byRepository({ waiting }: FoundWaits): Groups {
  const all = [...Map.groupBy(waiting, ({ repository }) => repository)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
  const others = all.slice(REPOSITORIES).flatMap(([, ones]) => ones);
  return new Map([...all.slice(0, REPOSITORIES), ...(others.length > 0 ? [[OTHERS, others] as const] : [])]);
}

function counts(groups: Groups): Iterable<[string, number]> {
  return [...groups].map(([key, { length }]) => [key, length]);
}

function ages(groups: Groups): Iterable<[string, number]> {
  const now = Date.now();
  return [...groups].map(([key, waiting]) => [key, oldestSeconds(waiting, now)]);
}

function oldestSeconds(waiting: readonly Waiting[], now: number): number {
  return waiting.reduce((oldest, { since }) => Math.max(oldest, (now - since) / 1_000), 0);
}
