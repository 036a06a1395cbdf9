/** A release is rolled forth, and then back: what went past a step of the newer one stays with it. */
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
  /** Their reviews were open when the older build became current again. */
  readonly openBack: readonly string[];
  /** The older build would have broken them; listed before the way back began. */
  readonly listedBefore: readonly string[];
  /** The same, and those that came past the step until all went to the older build. */
  readonly kept: readonly string[];
}

const HALF = 50;

export async function roll(options: RollOptions): Promise<Rolled> {
  const { routing, reviews, older, newer, report } = options;
  const openForth = await reviews.areOpen();
  report('forth: the newer build becomes current');
  await routing.routeAll(newer);
  reviews.goOn();
  const openBack = await reviews.areOpen();

  const kept = new Set<string>();
  const listedBefore = await keepThose(options, kept, 'some');
  report(`back: ${listedBefore.length} workflows stay with the newer build`);
  await routing.ramp(older, HALF);
  await keepThose(options, kept);
  await routing.routeAll(older);
  // Nothing begins in the newer build any more: these are the last ones.
  await keepThose(options, kept);
  reviews.end();
  report(`back: ${kept.size} workflows stayed with the newer build`);
  return { openForth, openBack, listedBefore, kept: [...kept] };
}

/** Keeps the workflows that the older build would break with the newer one. `some`: there is one at least. */
async function keepThose(
  { routing, newer, olderBundle, temporalAddress }: RollOptions,
  kept: Set<string>,
  wanted: 'some' | 'any' = 'any',
): Promise<readonly string[]> {
  for (;;) {
    const listed = await replayWith(olderBundle, temporalAddress);
    for (const id of listed) {
      if (!kept.has(id)) await routing.keepWith(newer, id);
      kept.add(id);
    }
    if (wanted === 'any' || listed.length > 0) return listed;
  }
}
