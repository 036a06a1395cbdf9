import type { World } from '../world.ts';

/** An object as GitHub's API writes it. */
export type Json = Record<string, unknown>;

/** What answers need to write addresses and to know who is who. */
export type View = Pick<World, 'url' | 'apiUrl' | 'app' | 'store' | 'repositoriesDir'>;

/** GitHub's opaque second id. */
export function nodeId(kind: string, id: number | string): string {
  return Buffer.from(`${kind}:${id}`).toString('base64');
}
