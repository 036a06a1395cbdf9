/** Where the roots of a rollout are drawn: each to the right of those for which it waits. */
import * as dagre from '@dagrejs/dagre';
import { LRUCache } from 'lru-cache';

export interface Edge {
  readonly from: string;
  readonly to: string;
}

/** In pixels; the place of a node is its middle. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly nodes: ReadonlyMap<string, Point>;
  readonly edges: readonly (readonly Point[])[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export const NODE = { width: 200, height: 44 } as const;

/** A page is made again with every change of a state, which moves no root. */
const KEPT = 50;

const kept = new LRUCache<string, Layout>({ max: KEPT });

/**
 * The library puts a point on a line for each column that it crosses, and its time grows with the square of these points: three hundred
 * take some tenths of a second.
 */
const CROSSED_LIMIT = 300;

/** Undefined where lines would cross too many columns. The order of names and edges changes nothing. */
export function layoutOf(names: readonly string[], edges: readonly Edge[]): Layout | undefined {
  const sorted = edges.toSorted((one, other) => compare(one.from, other.from) || compare(one.to, other.to));
  if (columnsCrossed(sorted) > CROSSED_LIMIT) return undefined;
  const sortedNames = names.toSorted(compare);
  const key = JSON.stringify([sortedNames, sorted]);
  const known = kept.get(key) ?? compute(sortedNames, sorted);
  kept.set(key, known);
  return known;
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Of all edges. A root stands in the column after the last of those for which it waits; in a circle, anywhere. */
function columnsCrossed(edges: readonly Edge[]): number {
  const before = Map.groupBy(edges, ({ to }) => to);
  const columns = new Map<string, number>();
  const columnOf = (name: string): number => {
    const known = columns.get(name);
    if (known !== undefined) return known;
    columns.set(name, 0);
    const column = Math.max(0, ...(before.get(name) ?? []).map(({ from }) => columnOf(from) + 1));
    columns.set(name, column);
    return column;
  };
  return edges.reduce((sum, { from, to }) => sum + Math.max(0, columnOf(to) - columnOf(from) - 1), 0);
}

/** What is used of the library, whose own declarations do not resolve in ES modules. */
interface Drawing {
  setGraph(options: Readonly<Record<string, string | number>>): void;
  setNode(name: string, size: { readonly width: number; readonly height: number }): void;
  setEdge(from: string, to: string, label: object): void;
  graph(): { readonly width: number; readonly height: number };
  node(name: string): Point;
  edge(from: string, to: string): { readonly points: readonly Point[] };
}

const { Graph, layout } = dagre as unknown as {
  readonly Graph: new () => Drawing;
  readonly layout: (graph: Drawing) => void;
};

function compute(names: readonly string[], edges: readonly Edge[]): Layout {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 12, ranksep: 48, marginx: 2, marginy: 2 });
  for (const name of names) graph.setNode(nodeOf(name), { ...NODE });
  for (const { from, to } of edges) graph.setEdge(nodeOf(from), nodeOf(to), {});
  layout(graph);
  const { width, height } = graph.graph();
  return {
    width: Math.ceil(width),
    height: Math.ceil(height),
    nodes: new Map(names.map((name) => [name, rounded(graph.node(nodeOf(name)))])),
    edges: edges.map(({ from, to }) => graph.edge(nodeOf(from), nodeOf(to)).points.map(rounded)),
  };
}

/** The library keeps nodes in plain objects, where a root named `constructor` would be one that is there already. */
function nodeOf(name: string): string {
  return `root ${name}`;
}

function rounded({ x, y }: Point): Point {
  return { x: Math.round(x), y: Math.round(y) };
}
