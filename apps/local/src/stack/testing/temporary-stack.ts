/** A stack for the tests of one file: quiet, beside others, and gone afterwards. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startStack, type Stack, type StackOptions } from '../stack.ts';

/** Its folder, also a given one, is removed with it, or when it does not start; not where KEEP is set, for a look at its logs. */
export async function startTemporaryStack(options: Partial<StackOptions> = {}): Promise<Stack> {
  await using started = new AsyncDisposableStack();
  const { folder = await mkdtemp(path.join(tmpdir(), 'nereid-stack-')) } = options;
  if (process.env['KEEP'] === undefined) started.defer(() => rm(folder, { recursive: true, force: true }));
  const usual = { env: process.env, ports: 'free', storage: 'folder', report: () => undefined } as const;
  const stack = started.use(await startStack({ ...usual, ...options, folder }));
  const all = started.move();
  return { ...stack, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
