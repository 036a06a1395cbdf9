import { z } from 'zod';
import { envelopeOf } from '../deployment/record.ts';
import type { Signed } from '../signed.ts';
import { partsOf, type Stored } from '../stored.ts';
import type { ReceivedEvent } from './intake.ts';
import type { ProtectedRunEvent } from './webhook-events.ts';

/** Which delivery brought a webhook's body first. */
export const takenDelivery = z.object({ version: z.literal(1), delivery: z.string().min(1) });
export type TakenDelivery = Stored<typeof takenDelivery>;

/** A run that waits for our answer. */
export interface ProtectedRun {
  readonly version: 1;
  /** As the gateway signed it: nobody puts another commit in the place of the run's own. */
  readonly received: Signed<ReceivedEvent & { readonly event: ProtectedRunEvent }>;
  /** What was said on the run last: the same is not said again. Absent before the first time. */
  readonly said?: string;
  /** How often something was said. */
  readonly reports: number;
}

export const protectedRun = partsOf<ProtectedRun>()(
  z.object({
    received: envelopeOf({
      delivery: z.string().min(1),
      receivedAt: z.iso.datetime(),
      event: z.object({
        kind: z.literal('protected-run'),
        repository: z.object({ owner: z.string().min(1), name: z.string().min(1), installationId: z.number() }),
        runId: z.int().positive(),
        deploymentId: z.int().positive(),
        askedAt: z.iso.datetime({ offset: true }),
        environment: z.string().min(1),
        sha: z.string().min(1),
      }),
    }),
    said: z.string().optional(),
    reports: z.int().nonnegative(),
  }),
);
