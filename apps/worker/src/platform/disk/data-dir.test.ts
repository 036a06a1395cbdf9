import { describe, expect, test } from '@jest/globals';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { openDataDir } from './data-dir.ts';

describe('openDataDir', () => {
  const dir = folderOfEachTest();

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
