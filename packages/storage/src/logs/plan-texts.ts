import { createHash } from 'node:crypto';
import type { PlanText } from '@nereid/domain/plan';
import { z } from 'zod';
import type { ObjectStore } from '../objects/object-store.ts';
import { recordFormat } from '../record-format.ts';
import type { LogName } from './log-keys.ts';

/**
 * Terraform's own texts of plans, each beside the log of its job: `logs/<pool>/<job id>/plan-text.json`, and those with more room in
 * `plan-text-whole.json`.
 */
export interface PlanTexts {
  /** Replaces the text of an earlier attempt at the job. Throws `StorageUnavailableError`. */
  write(jobId: string, text: PlanText): Promise<void>;
  /** The text with this digest; undefined when there is none, or another one. Throws `StorageUnavailableError`. */
  read(jobId: string, digest: string): Promise<PlanText | undefined>;
}

type PlanTextRecord = PlanText & { readonly version: 1 };

const format = recordFormat<PlanTextRecord>(
  z.looseObject({ text: z.string(), leftOut: z.int().nonnegative(), isShortened: z.boolean() }),
  1,
);

export function createPlanTexts(store: ObjectStore, pool: string, keyOf: (log: LogName) => string): PlanTexts {
  return {
    async write(jobId, text) {
      // Like the log beside it, the text need not survive a power cut.
      const key = keyOf({ pool, jobId });
      await store.put(key, format.encode(key, recordOf(text)), { synced: false });
    },

    async read(jobId, digest) {
      const key = keyOf({ pool, jobId });
      const found = await store.get(key);
      if (found === undefined || sha256(found.body) !== digest) return undefined;
      return format.decode(key, found.body);
    },
  };
}

/** SHA-256 of the text as it is stored, 64 hex digits. */
export function planTextDigest(text: PlanText): string {
  return sha256(format.serialize(recordOf(text)));
}

function recordOf({ text, leftOut, isShortened }: PlanText): PlanTextRecord {
  return { version: 1, text, leftOut, isShortened };
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
