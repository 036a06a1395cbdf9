import type { DestinationState } from './record.ts';

/** Of a destination that nothing was ever sent to. */
export const FRESH_DESTINATION: DestinationState = { version: 1, settled: [], dropped: 0, notes: [] };
