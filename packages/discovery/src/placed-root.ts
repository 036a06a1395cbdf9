import type { RootConfig } from '@nereid/config';

/** A root and its real directory, after links were followed. */
export interface PlacedRoot {
  readonly config: RootConfig;
  readonly place: string;
  /** The links on the way to it. */
  readonly through: readonly string[];
  /** Why it is not deployed, although its declaration is sound. */
  readonly refused?: string;
}
