/**
 * Finds any of many patterns in a stream of bytes, in a time that does not depend on their number: the automaton of Aho and
 * Corasick. A node stands for the bytes that were just read, as far as a pattern begins with them.
 */
export interface ByteMatcher {
  /** The node after one more byte. */
  next(node: number, byte: number): number;
  /** How many of the last bytes could begin a pattern, or are one. */
  depth(node: number): number;
  /** The length of the longest pattern that ends here; 0 when none does. */
  found(node: number): number;
}

/** The node before the first byte. */
export const START = 0;

export function createByteMatcher(patterns: readonly Uint8Array[]): ByteMatcher {
  const limit = patterns.reduce((sum, { length }) => sum + length, 1);
  const trie = createTrie(limit);
  const found = new Int32Array(limit);
  for (const pattern of patterns) {
    const end = pattern.reduce((node, byte) => trie.childOf(node, byte), START);
    found[end] = pattern.length;
  }
  const nodes = trie.nodesByDepth();

  // Where to look on from a node without a child: the node of the longest end of its bytes that a pattern begins with.
  const fallback = new Int32Array(limit);

  function lookUp(from: number, byte: number): number {
    for (let node = from; ; node = at(fallback, node)) {
      const child = trie.find(node, byte);
      if (child !== START || node === START) return child;
    }
  }

  for (const node of nodes) {
    const parent = trie.parent(node);
    const shorter = parent === START ? START : lookUp(at(fallback, parent), trie.lastByte(node));
    fallback[node] = shorter;
    found[node] = Math.max(at(found, node), at(found, shorter));
  }

  // Most output is no secret, so most bytes lead from one of these nodes to another: each has a row with all answers.
  const shallow = [START, ...nodes.filter((node) => trie.depth(node) === 1)];
  const answers = Int32Array.from({ length: shallow.length * 256 }, (_, index) =>
    lookUp(shallow[index >> 8] ?? START, index & 255),
  );
  const rows = new Int32Array(limit).fill(NO_ROW);
  for (const [index, node] of shallow.entries()) rows[node] = index * 256;

  function next(from: number, byte: number): number {
    for (let node = from; ; node = at(fallback, node)) {
      const row = at(rows, node);
      if (row !== NO_ROW) return at(answers, row + byte);
      const child = trie.find(node, byte);
      if (child !== START) return child;
    }
  }

  return { next, depth: trie.depth, found: (node) => at(found, node) };
}

const NO_ROW = -1;

/** Spreads neighbouring keys over a hash table: 2 to the 32nd, divided by the golden ratio. */
const SPREAD = 0x9e3779b1;

/** The beginnings of the patterns. One hash table has all children: rows of 256 would take a hundred times the memory. */
function createTrie(limit: number) {
  const parents = new Int32Array(limit);
  const lastBytes = new Uint8Array(limit);
  const depths = new Int32Array(limit);
  const bits = 33 - Math.clz32(limit);
  const mask = 2 ** bits - 1;
  /** Nodes; `START`, which is the child of none, where there is none. */
  const table = new Int32Array(mask + 1);
  let count = START + 1;

  /** Where the child is, or would be. */
  function slotOf(node: number, byte: number): number {
    for (let slot = Math.imul(node * 256 + byte, SPREAD) >>> (32 - bits); ; slot = (slot + 1) & mask) {
      const child = at(table, slot);
      if (child === START || (at(parents, child) === node && lastBytes[child] === byte)) return slot;
    }
  }

  /** Makes the child when there is none. */
  function childOf(node: number, byte: number): number {
    const slot = slotOf(node, byte);
    const known = at(table, slot);
    if (known !== START) return known;
    table[slot] = count;
    parents[count] = node;
    lastBytes[count] = byte;
    depths[count] = at(depths, node) + 1;
    count += 1;
    return count - 1;
  }

  return {
    childOf,
    /** `START` when there is none. */
    find: (node: number, byte: number) => at(table, slotOf(node, byte)),
    /** All but `START`. */
    nodesByDepth: () =>
      Int32Array.from({ length: count - 1 }, (_, index) => index + 1).sort((a, b) => at(depths, a) - at(depths, b)),
    parent: (node: number) => at(parents, node),
    lastByte: (node: number) => lastBytes[node] ?? 0,
    depth: (node: number) => at(depths, node),
  };
}

/** An element of an array that is known to have it. */
function at(array: Int32Array, index: number): number {
  return array[index] ?? 0;
}
