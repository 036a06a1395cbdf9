import type { World } from '../world.ts';

/** An object as GitHub's API writes it. */
export type Json = Record<string, unknown>;

/** The parts of the world that answers need for addresses and accounts. */
export type View = Pick<World, 'url' | 'apiUrl' | 'app' | 'store' | 'repositoriesDir'>;

/** GitHub's opaque second id. */
export function nodeId(kind: string, id: number | string): string {
  return Buffer.from(`${kind}:${id}`).toString('base64');
}
