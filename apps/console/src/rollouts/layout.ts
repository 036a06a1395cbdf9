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

export function layoutOf(names: readonly string[], edges: readonly Edge[]): Layout {
  const key = JSON.stringify([names, edges]);
  const known = kept.get(key) ?? compute(names, edges);
  kept.set(key, known);
  return known;
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
  for (const name of names) graph.setNode(name, { ...NODE });
  for (const { from, to } of edges) graph.setEdge(from, to, {});
  layout(graph);
  const { width, height } = graph.graph();
  return {
    width: Math.ceil(width),
    height: Math.ceil(height),
    nodes: new Map(names.map((name) => [name, rounded(graph.node(name))])),
    edges: edges.map(({ from, to }) => graph.edge(from, to).points.map(rounded)),
  };
}

function rounded({ x, y }: Point): Point {
  return { x: Math.round(x), y: Math.round(y) };
}
