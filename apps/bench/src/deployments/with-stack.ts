/** Everything that a deployment needs, on this machine, for as long as something is measured. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack, type Stack, type StackOptions } from '@nereid/local/stack';

/** `folder` is empty but for what the stack keeps. */
export async function withStack<T>(
  options: Pick<StackOptions, 'env' | 'repositories'>,
  measure: (stack: Stack, folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'nereid-bench-'));
  try {
    await using stack = await startStack({
      ...options,
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
