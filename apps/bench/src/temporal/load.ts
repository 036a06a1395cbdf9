/** Sends many requests, and measures how many there are a second and how long the slow ones take. */
import { setTimeout as pause } from 'node:timers/promises';

/** Sends one request. */
export type Send = () => Promise<void>;

export interface Load {
  readonly perSecond: number;
  /** Milliseconds: one request in a hundred takes longer. */
  readonly p99Ms: number;
}

/** Each of these sends its next request when the one before is answered. */
export async function asFastAsPossible(send: Send, atOnce: number, durationMs: number): Promise<Load> {
  const begun = performance.now();
  const tookMs: number[] = [];
  const sender = async () => {
    while (performance.now() - begun < durationMs) {
      const sentAt = performance.now();
      await send();
      tookMs.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
  return loadOf(tookMs, performance.now() - begun);
}

/** Requests come at this rate whether or not the ones before are answered, as GitHub's do. A late start counts as waiting. */
export async function atRate(send: Send, perSecond: number, durationMs: number): Promise<Load> {
  const begun = performance.now();
  const tookMs: number[] = [];
  const sent: Promise<void>[] = [];
  const count = Math.round((perSecond * durationMs) / 1_000);
  for (let index = 0; index < count; index += 1) {
    const dueAt = begun + (index * 1_000) / perSecond;
    const early = dueAt - performance.now();
    if (early > 0) await pause(early);
    sent.push(send().then(() => void tookMs.push(performance.now() - dueAt)));
  }
  await Promise.all(sent);
  return loadOf(tookMs, performance.now() - begun);
}

const P99 = 0.99;

function loadOf(tookMs: readonly number[], elapsedMs: number): Load {
  const sorted = tookMs.toSorted((one, other) => one - other);
  return {
    perSecond: (tookMs.length * 1_000) / elapsedMs,
    p99Ms: sorted[Math.floor((sorted.length - 1) * P99)] ?? 0,
  };
}
