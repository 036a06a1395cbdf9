import type { Environment, Report } from '@nereid/test-kit';
import type { StorageKind } from './stack/storage.ts';

/** What both ways of running the demo are given. */
export interface Play {
  readonly env: Environment;
  readonly storage: StorageKind;
  readonly report: Report;
}
