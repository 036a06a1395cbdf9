import { expect, test } from '@jest/globals';
import { followOptions } from './follower.ts';
import type { Stopper } from './stopper.ts';

test('a command that has long written too much is interrupted, and killed once it has written as much again', () => {
  const sent: string[] = [];
  const stopper: Stopper = {
    causes: new Set(),
    stoppedBy: 'before-start',
    request: (cause) => sent.push(cause),
    kill: () => sent.push('kill'),
    [Symbol.dispose]: () => undefined,
  };
  const options = { folder: '/nowhere', name: 'command', onOutput: () => undefined, outputLimitBytes: 10 };
  const { onProgress } = followOptions(
    options,
    { output: 'output', process: 'process', exit: 'exit', sandbox: 'sandbox' },
    stopper,
  );

  onProgress(10);
  expect(sent).toEqual([]);
  onProgress(35);
  onProgress(45);
  expect(new Set(sent)).toEqual(new Set(['output-limit']));
  onProgress(46);
  expect(sent.at(-1)).toBe('kill');
});
