import { z } from 'zod';
import { HostSummary } from '@nereid/domain/host/api';
import { LaneList } from '@nereid/domain/lane/api';
import { RolloutSummary } from '@nereid/domain/rollout/api';

/** Everything that waits for a person, the most urgent first, then running work. */
export const Attention = z
  .object({
    lanes: LaneList,
    /** Those that are away; absent when nobody knows. */
    hosts: z.array(HostSummary).optional(),
    /** Of the last days, the newest first, at most 50. */
    rollouts: z.array(RolloutSummary),
  })
  .meta({ id: 'Attention' });
export type Attention = z.infer<typeof Attention>;
