/** Repeatable chance: the same seed gives the same decisions in the same order. */
export interface Random {
  /** From 0 up to `below`, exclusive. */
  integer(below: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly [T, ...T[]]): T;
}

/** Mulberry32: small, and good enough to choose the next process to kill. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (below: number) => Math.floor(next() * below);
  return {
    integer,
    chance: (probability) => next() < probability,
    pick: (from) => from[integer(from.length)] ?? from[0],
  };
}
