/** A place in the list of deployments as a cursor. */
import { z } from 'zod';
import type { Place } from '../../trail/walk-back.ts';

export interface ListPlace {
  /** When the first page was made, ISO 8601: what ended later counts as under way on all pages. */
  readonly asOf: string;
  /** The part of the list that goes on. */
  readonly part: 'under-way' | 'ended';
  readonly before: Place;
}

const Encoded = z.tuple([z.iso.datetime(), z.enum(['under-way', 'ended']), z.iso.datetime(), z.string().max(100)]);

export function encodeListPlace({ asOf, part, before }: ListPlace): string {
  return Buffer.from(JSON.stringify([asOf, part, before.at, before.id])).toString('base64url');
}

/** Undefined for anything that is no cursor of ours. */
export function decodeListPlace(cursor: string): ListPlace | undefined {
  try {
    const [asOf, part, at, id] = Encoded.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    return { asOf, part, before: { at, id } };
  } catch {
    return undefined;
  }
}
