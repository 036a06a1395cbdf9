/** The clause that says for which roots a deployment waits: how it is written, and how it is read back. */

/** A root for which another one waits, with a clause about it. */
export interface AwaitedRoot {
  readonly rootName: string;
  readonly clause: string;
}

/** More would not fit into a title. */
export const NAMED = 2;

/** `waits for network, which awaits its review`. `all` is how many it waits for. */
export function waitsClause(named: readonly AwaitedRoot[], all: number): string {
  const roots = named.map(({ rootName, clause }) => `${rootName}, ${clause}`).join(', and for ');
  const more = all - named.length;
  return `waits for ${roots}${more > 0 ? `, and for ${more} more` : ''}`;
}

/** The roots that such a clause names; none when it is another reason. */
export function rootsAwaited(clause: string): readonly string[] {
  return Array.from(clause.matchAll(AWAITED), ([, rootName]) => rootName ?? '');
}

/** Root names have no comma. */
const AWAITED = /(?:^waits|, and) for ([A-Za-z0-9][\w.-]*), /g;
