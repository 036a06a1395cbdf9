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
  return loadOf([await sendAll(send, atOnce, durationMs)]);
}

/** A server becomes slower the more it keeps: so these are sent in turns, in three rounds that take `durationMs` of each together. */
export async function inTurns<Kind extends string>(
  sends: Readonly<Record<Kind, Send>>,
  atOnce: number,
  durationMs: number,
): Promise<Readonly<Record<Kind, Load>>> {
  const kinds = Object.keys(sends) as Kind[]; // As given.
  const sent = new Map<Kind, readonly Sent[]>();
  for (let round = 0; round < ROUNDS; round += 1)
    for (const kind of kinds)
      sent.set(kind, [...(sent.get(kind) ?? []), await sendAll(sends[kind], atOnce, durationMs / ROUNDS)]);
  const loads = [...sent].map(([kind, rounds]) => [kind, loadOf(rounds)] as const);
  return Object.fromEntries(loads) as Record<Kind, Load>; // Of each kind, because each was sent.
}

const ROUNDS = 3;

interface Sent {
  readonly tookMs: readonly number[];
  readonly elapsedMs: number;
}

async function sendAll(send: Send, atOnce: number, durationMs: number): Promise<Sent> {
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
  return { tookMs, elapsedMs: performance.now() - begun };
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
  return loadOf([{ tookMs, elapsedMs: performance.now() - begun }]);
}

const P99 = 0.99;

function loadOf(sent: readonly Sent[]): Load {
  const sorted = sent.flatMap(({ tookMs }) => tookMs).toSorted((one, other) => one - other);
  const elapsedMs = sent.reduce((sum, one) => sum + one.elapsedMs, 0);
  return {
    perSecond: (sorted.length * 1_000) / elapsedMs,
    p99Ms: sorted[Math.floor((sorted.length - 1) * P99)] ?? 0,
  };
}
