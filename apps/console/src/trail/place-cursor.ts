/** A place in the trail as a cursor. */
import { z } from 'zod';
import type { Place } from './walk-back.ts';

const Encoded = z.tuple([z.iso.datetime(), z.string().max(300)]);

export function encodePlace({ at, id }: Place): string {
  return Buffer.from(JSON.stringify([at, id])).toString('base64url');
}

/** Undefined for anything that is no cursor of ours. */
export function decodePlace(cursor: string): Place | undefined {
  try {
    const [at, id] = Encoded.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    return { at, id };
  } catch {
    return undefined;
  }
}
