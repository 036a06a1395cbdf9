import { z } from 'zod';

/** Who asks. */
export const Me = z
  .object({
    /** Login, in whose name requests are made. */
    login: z.string(),
    /** Present for a script: what its token permits. */
    token: z.object({ name: z.string(), scopes: z.array(z.string()), repositories: z.array(z.string()) }).optional(),
  })
  .meta({ id: 'Me' });
export type Me = z.infer<typeof Me>;
