import { z } from 'zod';
import type { Stored } from '../stored.ts';

/** Which delivery brought a webhook's body first. */
export const takenDelivery = z.object({ version: z.literal(1), delivery: z.string().min(1) });
export type TakenDelivery = Stored<typeof takenDelivery>;
