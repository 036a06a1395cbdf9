/** Runs everything that a deployment needs on this machine, for as long as a measurement takes. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack, type Stack, type StackOptions } from '@nereid/local/stack';
import { SAMPLE_NAME } from './sample-repository.ts';

export interface WithStackOptions {
  readonly env: NodeJS.ProcessEnv;
  /** For the roots of the sample repository. */
  readonly planReview: 'required' | 'before_merge' | 'auto';
  readonly plansPullRequests?: boolean;
  /** Of the sample repository's roots, by a name in `workflows`; default: `standard`. */
  readonly workflow?: string;
  /** Entries of other repositories in the server's file. */
  readonly others?: readonly object[];
  /** A shell command that runs before each plan of workflows that the stack names after roots of the demo. */
  readonly beforePlan?: string;
  /** Default: bubblewrap, where there is one. */
  readonly sandbox?: 'none';
  /** Variables that processes have besides those that they need. */
  readonly environments?: StackOptions['environments'];
  /** The same as of the stack. */
  readonly workflows?: NonNullable<StackOptions['workflows']>;
  readonly hasHostAlone?: boolean;
  readonly hasSeveral?: boolean;
  readonly restarts?: number;
  /** Starts another Temporal than the dev server. */
  readonly startTemporal?: StackOptions['startTemporal'];
}

/** `folder` holds only the stack's own folder. */
export async function withStack<T>(
  { env, planReview, plansPullRequests = false, workflow = 'standard', others = [], ...further }: WithStackOptions,
  measure: (stack: Stack, folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'nereid-bench-'));
  try {
    await using stack = await startStack({
      env,
      repositories: [
        { match: SAMPLE_NAME, plan_review: planReview, pull_requests: plansPullRequests ? 'plan' : 'off', workflow },
        ...others,
      ],
      ...further,
      folder: join(folder, 'stack'),
      ports: 'free',
      storage: 'folder',
      report: () => undefined,
    });
    return await measure(stack, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
