import { z } from 'zod';
import { partsOf } from '../stored.ts';
import type { TrailEvent } from './audit-event.ts';

const text = z.string().min(1);

export const trailEntry = partsOf<TrailEvent>()(z.object({ version: z.literal(1), id: text, state: text }));

/** An event that the audit trail may not have yet, although what it tells was done, or was about to be. */
export interface OwedAudit {
  readonly version: 1;
  /** A name for files. */
  readonly requestId: string;
  /** When it was kept, ISO 8601. */
  readonly at: string;
  readonly event: TrailEvent;
}

export const owedAudit = partsOf<OwedAudit>()(z.object({ requestId: text, at: z.iso.datetime(), event: trailEntry }));
