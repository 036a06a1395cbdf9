import { z } from 'zod';

/** Why a request failed. RFC 9457. */
export const Problem = z
  .object({
    type: z.literal('about:blank'),
    title: z.string(),
    status: z.int(),
    /** A sentence for the person who asked. */
    detail: z.string(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof Problem>;
