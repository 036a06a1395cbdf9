import type { Root } from '@nereid/domain/root';

/** The workflow of roots that name none. */
export const STANDARD_WORKFLOW = 'standard';

/** The steps of `standard`, unless the file defines it. */
export const STANDARD_STEPS: Root['steps'] = {
  plan: [
    { kind: 'init', extraArgs: [] },
    { kind: 'plan', extraArgs: [] },
  ],
  apply: [{ kind: 'apply', extraArgs: [] }],
};
