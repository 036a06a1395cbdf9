/** Whatever is claimed, lost, begun, stopped and released, in whatever order. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { slotsLeft, type SlotUse } from './slot-usage.ts';
import { createSlots, UNCONFIRMED_SLOT_MS, type EndWork } from './slots.ts';

const TOTAL = 3;
const PREVIEWS = 1;
/** More than slots, so that they collide; few, so that they meet again. */
const DEPLOYMENTS = ['d1', 'd2', 'd3', 'd4', 'p1', 'p2', 'p3'];

const deployment = fc.constantFrom(...DEPLOYMENTS);
const works = fc.constantFrom('claim', 'begin', 'inspect', 'end', 'stop', 'release');
const step = fc.oneof(
  // A claim whose answer is lost is one after which nothing of its deployment begins.
  { arbitrary: fc.record({ does: works, of: deployment }), weight: 9 },
  {
    arbitrary: fc.record({
      does: fc.constant('time passes'),
      ms: fc.integer({ min: 1, max: 2 * UNCONFIRMED_SLOT_MS }),
    }),
    weight: 1,
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

test('no more slots are used than there are, deployments find all but the part of previews, and all are free in the end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
      const host = aHost();

      for (const each of steps) {
        await host.perform(each);
        expect(host.usedByClaimsAndWork()).toBeLessThanOrEqual(TOTAL);
        // Whatever previews borrow, a deployment is declined only where others, and what previews keep, take all slots.
        for (const { deployments, keptByPreviews } of host.declined)
          expect(deployments + keptByPreviews).toBeGreaterThanOrEqual(TOTAL);
        for (const { use, had } of host.interrupted) expect([use, had > PREVIEWS]).toEqual(['preview', true]);
        // A slot is left to nobody while work waits for one of its kind.
        for (const use of host.waitsFor()) expect(slotsLeft(host.slots.usage(), use)).toBeLessThanOrEqual(0);
      }
      await host.endAll();

      expect(host.slots.usage().used).toBe(0);
      expect(host.waitsFor()).toEqual([]);
    }),
  );
});

/** Work of one kind of each deployment: what waits, and how to end or stop it. */
function aHost() {
  const slots = createSlots(() => TOTAL, { previews: () => PREVIEWS });
  const ends = new Map<string, EndWork[]>();
  const inspected = new Map<string, EndWork[]>();
  /** With how many slots previews had, before each lost one. */
  const interrupted: { readonly use: SlotUse; readonly had: number }[] = [];
  /** Who had the slots when the claim of a deployment got none. */
  const declined: { readonly deployments: number; readonly keptByPreviews: number }[] = [];
  /** Those that were inspected since they hold their slot. */
  const beyond = new Set<string>();
  const waiting = new Set<{ readonly of: string; readonly stop: AbortController }>();

  const previewsHeld = () => slots.usage().previews.used;
  const inspectedPreviews = () => inspectedNow().filter((of) => useOf(of) === 'preview');
  const inspectedNow = () => [...inspected].filter(([, works]) => works.length > 0).map(([of]) => of);
  const begin = (of: string) => {
    const entry = { of, stop: new AbortController() };
    waiting.add(entry);
    const interrupt =
      useOf(of) === 'preview'
        ? { interrupt: () => void interrupted.push({ use: useOf(of), had: previewsHeld() + 1 }) }
        : {};
    void slots.begin(of, { signal: entry.stop.signal, ...interrupt }).then((end) => {
      waiting.delete(entry);
      if (end) ends.set(of, [...(ends.get(of) ?? []), end]);
    });
  };
  const endOne = (of: string) => {
    const works = ends.get(of)?.length ? ends : inspected;
    works.get(of)?.pop()?.();
  };
  const does: Record<string, (of: string) => void> = {
    claim: (of) => {
      if (slots.claim(of, useOf(of)) || useOf(of) === 'preview') return;
      const deployments = slots.holders().filter((id) => useOf(id) === 'deployment').length;
      declined.push({ deployments, keptByPreviews: Math.max(PREVIEWS, inspectedPreviews().length) });
    },
    begin,
    inspect: (of) => {
      beyond.add(of);
      inspected.set(of, [...(inspected.get(of) ?? []), slots.countRunning(of, useOf(of))]);
    },
    end: endOne,
    stop: (of) => {
      for (const entry of waiting) if (entry.of === of) entry.stop.abort();
    },
    release: (of) => {
      slots.release(of);
    },
  };
  const hasMore = () => [...ends.values(), ...inspected.values()].some((works) => works.length > 0);

  return {
    slots,
    declined,
    interrupted,
    waitsFor: () => [...waiting].map(({ of }) => useOf(of)),
    async perform(each: Step) {
      if ('ms' in each) jest.advanceTimersByTime(each.ms);
      else does[each.does]?.(each.of);
      await settled();
      for (const id of beyond) if (!slots.holders().includes(id)) beyond.delete(id);
    },
    /** The slot of what was inspected may be beyond the total, as long as its deployment holds it. */
    usedByClaimsAndWork: () => slots.holders().filter((id) => !beyond.has(id)).length,
    async endAll() {
      while (hasMore()) {
        for (const of of DEPLOYMENTS) endOne(of);
        await settled();
      }
      jest.advanceTimersByTime(UNCONFIRMED_SLOT_MS);
      await settled();
      while (hasMore()) {
        for (const of of DEPLOYMENTS) endOne(of);
        await settled();
      }
    },
  };
}

function useOf(deployment: string): SlotUse {
  return deployment.startsWith('p') ? 'preview' : 'deployment';
}

/** What was resolved has been heard of. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < 5; turns += 1) await Promise.resolve();
}
