import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openDataDir } from './data-dir.ts';

describe('openDataDir', () => {
  let dir: string;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'nereid-data-'));
  });

  afterEach(() => rm(dir, { recursive: true }));

  test('a folder keeps its host id', async () => {
    const first = await openDataDir(dir);
    first.close();

    const second = await openDataDir(dir);

    second.close();
    expect(second.hostId).toBe(first.hostId);
  });

  test('a second worker is refused with a sentence that names the folder', async () => {
    const first = await openDataDir(dir);

    const second = openDataDir(dir);

    await expect(second).rejects.toThrow(`found that another worker uses ${dir}; stop it`);
    first.close();
  });
});
