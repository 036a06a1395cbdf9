import type { RootConfig } from '@nereid/config';

/** A root and its real directory, after links were followed. */
export interface PlacedRoot {
  readonly config: RootConfig;
  readonly place: string;
  /** The links on the way to it. */
  readonly through: readonly string[];
  /** Why it is not deployed, although its declaration is sound. */
  readonly refused?: string;
  /** The names of other roots in its directory and workspace; absent where there are none. */
  readonly twins?: readonly string[];
}

/** Where a root keeps its state: nothing but its directory and its workspace say so. */
export function stateOf({ config, place }: PlacedRoot): string {
  return JSON.stringify([place, config.workspace]);
}

/** Only `atlantis.yaml` may name a directory and a workspace several times, for roots whose backend is chosen by arguments. */
export function withTwins(roots: readonly PlacedRoot[]): readonly PlacedRoot[] {
  const byState = Map.groupBy(roots, stateOf);
  if (byState.size === roots.length) return roots;
  return roots.map((root) => {
    const twins = (byState.get(stateOf(root)) ?? []).filter((other) => other !== root);
    return twins.length === 0 ? root : { ...root, twins: twins.map(({ config }) => config.name) };
  });
}
