import type { Root } from '@nereid/contracts';

/** The workflow of roots for which nobody names one. */
export const STANDARD_WORKFLOW = 'standard';

/** What `standard` means where the file does not say it. */
export const STANDARD_STEPS: Root['steps'] = {
  plan: [
    { kind: 'init', extraArgs: [] },
    { kind: 'plan', extraArgs: [] },
  ],
  apply: [{ kind: 'apply', extraArgs: [] }],
};
