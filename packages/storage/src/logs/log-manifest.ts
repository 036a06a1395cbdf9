import { z } from 'zod';
import { recordFormat } from '../record-format.ts';

/** Marks a job's log as complete. */
export interface LogManifest {
  readonly version: 1;
  readonly chunks: number;
  readonly bytes: number;
  /** Bytes that could not be stored; the log says where. */
  readonly lostBytes: number;
  /** ISO 8601. */
  readonly endedAt: string;
}

const count = z.int().nonnegative();

export const manifestFormat = recordFormat<LogManifest>(
  z.looseObject({ chunks: count, bytes: count, lostBytes: count, endedAt: z.iso.datetime() }),
  1,
);
