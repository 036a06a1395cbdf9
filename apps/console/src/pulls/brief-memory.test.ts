import { expect, test } from '@jest/globals';
import { createBriefMemory } from './brief-memory.ts';

const LONG_MS = 3_600_000;

function aQuestion(...answers: readonly (string | Error)[]) {
  const left = [...answers];
  const ask = () => {
    const answer = left.shift();
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return ask;
}

test('what was asked a moment ago is not asked again, nor twice at a time', async () => {
  const memory = createBriefMemory<string | undefined>(LONG_MS, 10);
  const question = aQuestion('one', 'two');

  const both = await Promise.all([memory.ask('key', question), memory.ask('key', question)]);

  expect([...both, await memory.ask('key', question), await memory.ask('other', question)]).toEqual([
    'one',
    'one',
    'one',
    'two',
  ]);
});

test('neither failures nor answers that are not to be kept are remembered', async () => {
  const memory = createBriefMemory<string | undefined>(LONG_MS, 10);
  const question = aQuestion(new Error('away'), 'passing', 'kept');
  const isKept = (answer?: string) => answer === 'kept';

  await expect(memory.ask('key', question, isKept)).rejects.toThrow('away');

  expect(await memory.ask('key', question, isKept)).toBe('passing');
  expect(await memory.ask('key', question, isKept)).toBe('kept');
});

test('what is old is asked again, and so is what had no room', async () => {
  const old = createBriefMemory<string | undefined>(0, 10);
  const small = createBriefMemory<string | undefined>(LONG_MS, 1);
  const [first, second] = [aQuestion('one', 'two'), aQuestion('one', 'two', 'three')];

  await old.ask('key', first);
  await small.ask('key', second);
  await small.ask('another', second);

  expect(await old.ask('key', first)).toBe('two');
  expect(await small.ask('key', second)).toBe('three');
});
