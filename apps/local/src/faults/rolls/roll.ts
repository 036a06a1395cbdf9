/** A release is rolled forth, then back as the guide to upgrades says, and forth again for a workflow that was bound too late. */
import { until } from '../terrain.ts';
import type { OpenReviews } from './open-reviews.ts';
import { replayWith } from './replay-with.ts';
import type { Routing } from './routing.ts';

export interface RollOptions {
  readonly routing: Routing;
  readonly reviews: OpenReviews;
  readonly temporalAddress: string;
  /** Build ids. */
  readonly older: string;
  readonly newer: string;
  /** The path of the file. */
  readonly olderBundle: string;
  readonly report: (line: string) => void;
}

/** The ids of deployments. */
export interface Rolled {
  /** Their reviews were open when the newer build became current. */
  readonly openForth: readonly string[];
  /** Listed, and bound to the newer build, before the older one became current again; they ended while it was. */
  readonly bound: readonly string[];
  /** Bound only after the older build had failed its task. */
  readonly missed: string;
  /** Listed, and bound, only after the older build had become current again; `missed` is one of them. */
  readonly listedLate: readonly string[];
}

export async function roll(options: RollOptions): Promise<Rolled> {
  const { routing, reviews, older, newer, report } = options;
  const openForth = await reviews.areOpen();
  report('forth: the newer build becomes current');
  await routing.routeAll(newer);

  const { missed, bound } = await listOpenReviews(options);
  for (const id of bound) await routing.bind(newer, id);
  report(`back: the older build becomes current, and ${bound.length} workflows are bound to the newer one`);
  await routing.routeAll(older);
  reviews.end();

  await until(`the older build to fail ${missed}`, async () => (await routing.wayOf(missed)).wrongTurns > 0);
  const listedLate = (await list(options)).filter((id) => !bound.includes(id));
  for (const id of listedLate) await routing.bind(newer, id);
  for (const id of bound) await until(`the end of ${id}`, () => routing.hasEnded(id));

  report(`forth again: the newer build becomes current for ${listedLate.length} workflows that were listed late`);
  await routing.routeAll(newer);
  return { openForth, bound, missed, listedLate };
}

/** Lists what the older build would break, until two of them have open reviews: one to miss, and one to bind. */
async function listOpenReviews(options: RollOptions): Promise<Pick<Rolled, 'missed' | 'bound'>> {
  for (;;) {
    options.reviews.goOn();
    const open = await options.reviews.areOpen();
    const listed = await list(options);
    const [missed, another] = open.filter((id) => listed.includes(id));
    if (missed !== undefined && another !== undefined) return { missed, bound: listed.filter((id) => id !== missed) };
  }
}

function list({ olderBundle, temporalAddress }: RollOptions): Promise<readonly string[]> {
  return replayWith(olderBundle, temporalAddress);
}
