import type { ActionRow } from './action.ts';
import { confirm } from './confirm.ts';

/** By the rules of Confirm, and with its words. */
export const merge = {
  ...confirm,
  about: 'preview',
  label: 'Confirm for merge',
  description: 'Apply exactly this plan once merged',
  summary: 'confirm the plan of a pull request, to be applied once it is merged',
  checkRun: {},
  console: { scope: 'review', body: {}, examples: [], question: 'Confirm this plan for the merge?' },
} as const satisfies ActionRow;
