import { execFileSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { aConsole } from '@nereid/console/testing';
import { aLock } from '@nereid/domain/testing';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { controlThat } from '../testing/fake-control.ts';
import { nereidInside } from '../testing/run.ts';

const folder = folderOfEachTest();

function git(...args: readonly string[]): void {
  execFileSync('git', args, { cwd: folder });
}

describe('the name of a root alone', () => {
  test.each([['lane'], ['why'], ['unlock', '--yes']])(
    'is enough for nereid %s in a clone of its repository',
    async (verb, ...more) => {
      git('init', '--quiet');
      git('remote', 'add', 'origin', 'git@github.com:acme/infra.git');
      const console = await aConsole({ isLocal: true, lane: { lock: aLock('failed') }, requests: controlThat({}) });

      const { status, stderr } = await nereidInside([verb, 'network', ...more], { console, folder });

      expect([status, stderr]).toEqual([0, '']);
    },
  );

  test('says nothing elsewhere', async () => {
    const { status, stderr } = await nereidInside(['lane', 'network'], { console: await aConsole(), folder });

    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining('expected a lane like acme/infra/network (owner/repository/root), found network'),
    ]);
  });
});
