import type { Source } from './deployment-view.ts';

/** The parts that are missing when a source does not answer. */
export const UNAVAILABLE: Readonly<Record<Source, string>> = {
  temporal: 'Temporal cannot be reached at the moment: nothing moves until it can. This is the last known state.',
  workers: 'The workers do not answer at the moment. This is the last stored state; the deployment may have moved on.',
  storage: 'The storage cannot be read in full at the moment. A deployment that has ended may be shown as running.',
};
