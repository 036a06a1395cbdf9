/** A plan gets old: the world that it saw may be another one by now. Then it is made again. */
import { durationText } from '../../duration.ts';
import { PASSES, type Gate } from '../gate.ts';

export interface AgeFacts {
  /** When its host began the plan, ISO 8601, as that host signed it. */
  readonly plannedAt: string | undefined;
  /** Absent where plans may be of any age. */
  readonly limitMs?: number | undefined;
}

export const gateOfAge = {
  doors: ['apply'],
  waitAtApply: 'ends it',
  decide({ plannedAt, limitMs }, now) {
    if (limitMs === undefined || now - Date.parse(plannedAt ?? '') <= limitMs) return PASSES;
    return { kind: 'refuses', status: 'refused', sentence: `the plan is older than ${durationText(limitMs)}` };
  },
} as const satisfies Gate<AgeFacts>;
