import { chmod, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { aFolder } from '../testing.ts';
import { KeyFileError, readOrMakeKeyFile } from './key-file.ts';

test('a key is made once, for its owner alone, also by several that start together', async () => {
  const folder = await aFolder();
  const path = join(folder, 'made', 'plan.key');

  const made = await Promise.all(Array.from({ length: 5 }, () => readOrMakeKeyFile(path)));

  expect(made[0]?.[0]).toHaveLength(32);
  expect(new Set(made.map(([first]) => Buffer.from(first ?? []).toString('hex'))).size).toBe(1);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(folder, 'made'))).toEqual(['plan.key']);
});

test('several keys are read in their order', async () => {
  const path = join(await aFolder(), 'plan.key');
  const lines = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)].map((key) => key.toString('base64'));
  await writeFile(path, `${lines.join('\n')}\n`, { mode: 0o600 });

  expect((await readOrMakeKeyFile(path)).map((key) => key[0])).toEqual([1, 2]);
});

test('a key file that others can read is refused', async () => {
  const path = join(await aFolder(), 'plan.key');
  await readOrMakeKeyFile(path);
  await chmod(path, 0o640);

  await expect(readOrMakeKeyFile(path)).rejects.toThrow(KeyFileError);
});

test.each(['', 'too short\n'])('a key file that holds %j is refused and stays', async (content) => {
  const path = join(await aFolder(), 'plan.key');
  await writeFile(path, content, { mode: 0o600 });

  await expect(readOrMakeKeyFile(path)).rejects.toThrow(KeyFileError);
  expect((await stat(path)).size).toBe(content.length);
});
