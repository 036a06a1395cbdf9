/**
 * What a discovery says to its thread and hears from it. The two take turns: a message of the thread that asks for something is
 * answered by one message, and the thread's last one ends the job. All of it can be cloned.
 */
import type { RepositoryPolicy } from '@nereid/config';
import type { Root } from '@nereid/domain/root';
import type { FileContent } from '@nereid/git';
import type { Discovered } from '../discover-roots.ts';
import type { FoundRoots } from '../find-roots.ts';
import type { Touching } from '../find-touching.ts';
import type { RootInputs } from '../inputs/root-inputs.ts';

export interface DiscoverJob {
  readonly kind: 'discover';
  readonly policy: RepositoryPolicy;
  readonly changed: readonly string[];
  readonly hasBefore: boolean;
}

export interface FindJob {
  readonly kind: 'find';
  readonly policy: RepositoryPolicy;
  readonly names: readonly string[];
}

export interface TouchJob {
  readonly kind: 'touch';
  readonly policy: RepositoryPolicy;
  readonly rootName: string;
  readonly changes: readonly (readonly string[])[];
}

export interface InputsJob {
  readonly kind: 'inputs';
  readonly policy: RepositoryPolicy;
  readonly root: Root;
}

export type Job = DiscoverJob | FindJob | TouchJob | InputsJob;

export interface FoundInputs {
  readonly kind: 'inputs';
  readonly inputs: RootInputs;
}

export type JobResult<J extends Job = Job> = J extends DiscoverJob
  ? Discovered
  : J extends FindJob
    ? FoundRoots
    : J extends TouchJob
      ? Touching
      : FoundInputs;

/** The revision that is deployed, and the one before the change. */
export type WhichTree = 'tree' | 'before';

export type ToThread =
  | { readonly kind: 'job'; readonly job: Job }
  | { readonly kind: 'listing'; readonly listing: string }
  | { readonly kind: 'contents'; readonly contents: ReadonlyMap<string, FileContent> }
  /** What was asked for cannot be had. The side that answers knows why. */
  | { readonly kind: 'unreadable' };

export type FromThread =
  | { readonly kind: 'list'; readonly of: WhichTree }
  | { readonly kind: 'read'; readonly of: WhichTree; readonly blobs: readonly string[] }
  | { readonly kind: 'done'; readonly result: JobResult }
  | { readonly kind: 'failed'; readonly error: unknown };
