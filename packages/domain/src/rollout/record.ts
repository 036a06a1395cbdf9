import { z } from 'zod';
import { partsOf } from '../stored.ts';
import type { Rollout } from './model.ts';

const text = z.string().min(1);

export const rolloutRecord = partsOf<Rollout>()(
  z.object({
    id: text,
    revision: text,
    orderedAt: z.iso.datetime(),
    isRerun: z.boolean(),
    roots: z.array(
      z.object({
        rootName: text,
        group: z.int(),
        dependsOn: z.array(text),
        deploymentId: text.optional(),
        of: text.optional(),
      }),
    ),
    waves: z.array(z.object({ name: text, rootNames: z.array(text), soakMs: z.int().min(0) })).optional(),
  }),
);
