/** Operations of the API: their paths below `/api/v1`, what they take and what they answer. */
import { z } from 'zod';
import { ActivityList } from './activity.ts';
import { Cursor, FullName, RootName, Time } from './fields.ts';
import { HostList } from './hosts.ts';
import { Insights } from './insights.ts';
import { Attention, LaneDetail, LaneList, LaneState } from './lanes.ts';

/** GitHub's logins have 39 characters at most, those of bots a few more. */
const Login = z.string().max(100);

export const OPERATIONS = {
  listActivity: {
    path: '/activity',
    query: z.object({
      cursor: Cursor.optional(),
      limit: z.coerce.number().pipe(z.int().min(1).max(500)).default(100),
      repository: FullName.optional(),
      root: RootName.optional(),
      person: Login.optional(),
      action: z.string().max(50).optional(),
      from: Time.optional(),
      to: Time.optional(),
    }),
    answer: ActivityList,
  },
  getInsights: {
    path: '/insights',
    query: z.object({ days: z.enum(['7', '30', '90']).default('30'), repository: FullName.optional() }),
    answer: Insights,
  },
  getAttention: { path: '/attention', query: z.object({}), answer: Attention },
  listLanes: {
    path: '/lanes',
    query: z.object({
      cursor: Cursor.optional(),
      limit: z.coerce.number().pipe(z.int().min(1).max(1_000)).default(200),
      repository: FullName.optional(),
      state: LaneState.optional(),
      /** In the name of the root or of the repository, in the title of what runs, or the person who asked for it. */
      text: z.string().max(200).optional(),
    }),
    answer: LaneList,
  },
  getLane: {
    path: '/lanes/:owner/:name/:root',
    query: z.object({ at: Time.optional() }),
    answer: LaneDetail,
  },
  listHosts: { path: '/hosts', query: z.object({}), answer: HostList },
} as const;
