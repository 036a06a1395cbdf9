/** Runs everything that a deployment needs on this machine, for as long as a measurement takes. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack, type Stack } from '@nereid/local/stack';
import { SAMPLE_NAME } from './sample-repository.ts';

export interface WithStackOptions {
  readonly env: NodeJS.ProcessEnv;
  /** For the roots of the sample repository. */
  readonly planReview: 'required' | 'auto';
}

/** `folder` holds only the stack's own folder. */
export async function withStack<T>(
  { env, planReview }: WithStackOptions,
  measure: (stack: Stack, folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'nereid-bench-'));
  try {
    await using stack = await startStack({
      env,
      repositories: [{ match: SAMPLE_NAME, plan_review: planReview }],
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
