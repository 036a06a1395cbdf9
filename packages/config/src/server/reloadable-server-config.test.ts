import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { reloadableServerConfig } from './reloadable-server-config.ts';

const GOOD =
  'repositories: [{ match: acme/* }]\nstorage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }\n';

const folder = folderOfEachTest();
let file: string;

beforeEach(() => {
  file = join(folder, 'nereid.server.yaml');
  writeFileSync(file, GOOD);
});

describe('a server file that changes while the process runs', () => {
  test('is in force after a reload', () => {
    const server = reloadableServerConfig(file);
    writeFileSync(file, `${GOOD}comment_name: neptune\n`);

    const reloaded = server.reload();

    expect(reloaded).toEqual({ kind: 'reloaded' });
    expect(server.current().commentNames).toEqual(['neptune']);
  });

  test('and is broken leaves the old one in force and says so', () => {
    const server = reloadableServerConfig(file);
    const before = server.current();
    writeFileSync(file, 'repositories: [');

    const reloaded = server.reload();

    expect(reloaded).toMatchObject({ kind: 'kept', problems: [{ file, line: 1 }] });
    expect(server.current()).toBe(before);
  });

  test('and is gone leaves the old one in force and says so', () => {
    const server = reloadableServerConfig(file);
    rmSync(file);

    expect(server.reload()).toMatchObject({ kind: 'kept', problems: [{ path: 'NEREID_CONFIG' }] });
  });

  test('is outdated from the first reload that fails until one succeeds, with the problems of the last', () => {
    const server = reloadableServerConfig(file);
    const fresh = server.outdated();

    writeFileSync(file, 'repositories: [');
    server.reload();
    const first = server.outdated();
    rmSync(file);
    server.reload();
    const second = server.outdated();
    writeFileSync(file, GOOD);
    server.reload();

    expect([fresh, server.outdated()]).toEqual([undefined, undefined]);
    expect(first).toMatchObject({
      file,
      since: expect.stringMatching(/^\d{4}-/),
      problems: [{ file, line: 1 }],
    });
    expect(second).toMatchObject({ file, since: first?.since, problems: [{ path: 'NEREID_CONFIG' }] });
  });
});
