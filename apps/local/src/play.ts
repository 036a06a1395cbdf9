import type { Environment, Report } from '@nereid/test-kit';
import type { Home } from './home.ts';
import type { StorageKind } from './stack/storage.ts';

/** The input of both ways of running the demo. */
export interface Play {
  readonly env: Environment;
  readonly home: Home;
  readonly storage: StorageKind;
  /** A made-up week as well. */
  readonly hasHistory: boolean;
  readonly report: Report;
}
