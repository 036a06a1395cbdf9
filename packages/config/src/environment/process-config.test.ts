import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ConfigurationError } from './configuration-error.ts';
import { env } from './env.ts';
import { readProcessConfig } from './process-config.ts';
import { reloadableServerConfig } from '../server/reloadable-server-config.ts';

const GOOD =
  'repositories: [{ match: acme/* }]\nstorage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }\n';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nereid-config-'));
  file = join(folder, 'nereid.server.yaml');
  writeFileSync(file, GOOD);
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('what a process reads before it starts', () => {
  test('its own variables, those of every process, and the server file', () => {
    const { values, server } = readProcessConfig(
      { NEREID_CONFIG: file, PORT: '5' },
      { port: env.integer('PORT', { min: 1, max: 9 }) },
    );

    expect(values).toMatchObject({
      port: 5,
      serverFile: file,
      logLevel: 'info',
      logFormat: undefined,
      metricsAddress: undefined,
    });
    expect(server.current().commentName).toBe('nereid');
  });

  test('the problems of all of them are reported at once', () => {
    writeFileSync(file, `${GOOD}extra: 1\n`);

    expect(
      messageOf(() =>
        readProcessConfig(
          { NEREID_CONFIG: file, LOG_LEVEL: 'loud', TEMPORAL_ADDRESS: 'temporal' },
          { key: env.secret('KEY').required() },
          () => [{ path: 'KEY, LOCK', message: 'expected that they fit' }],
        ),
      ),
    ).toBe(
      `the configuration has to be mended:
  KEY: expected a value in KEY or in the file named by KEY_FILE, found nothing; set it
  LOG_LEVEL: expected one of "trace", "debug", "info", "warn", "error", "fatal", found "loud"
  TEMPORAL_ADDRESS: expected host:port of a server, like 127.0.0.1:7233, found "temporal"
  KEY, LOCK: expected that they fit
  ${file}:3:1 extra: expected a known key, found "extra"; known keys are repositories, workflows, terraform, storage, audit, comment_name`,
    );
  });

  test('what the environment and the server file get wrong together is a problem', () => {
    const read = () =>
      readProcessConfig({ NEREID_CONFIG: file }, {}, (server) => [
        { path: 'X', message: `is not ${String(server?.commentName)}` },
      ]);

    expect(messageOf(read)).toContain('X: is not nereid');
    writeFileSync(file, 'extra: 1');
    expect(messageOf(read)).toContain('X: is not undefined');
  });

  test.each([
    ['/nowhere.yaml', 'nothing at "/nowhere.yaml"'],
    ['/', 'a directory at "/"'],
    ['nowhere.yaml', `nothing at "${resolve('nowhere.yaml')}"`],
  ])('a server file that is none is a problem that says how to mend it: %s', (path, found) => {
    expect(messageOf(() => readProcessConfig({ NEREID_CONFIG: path }, {}))).toBe(
      `the configuration has to be mended:
  NEREID_CONFIG: expected the server's configuration, found ${found}; set NEREID_CONFIG to the path of the file`,
    );
  });
});

describe('a server file that changes while the process runs', () => {
  test('is in force after a reload', () => {
    const server = reloadableServerConfig(file);
    writeFileSync(file, `${GOOD}comment_name: neptune\n`);

    const reloaded = server.reload();

    expect(reloaded).toEqual({ kind: 'reloaded' });
    expect(server.current().commentName).toBe('neptune');
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
});

test('a process that is wrongly configured prints the problems without a stack trace and exits 2', () => {
  const program = join(folder, 'start.mjs');
  writeFileSync(
    program,
    `import { startOrExit, readProcessConfig } from ${JSON.stringify(import.meta.resolve('../index.ts'))};
     await startOrExit(async () => { readProcessConfig({ NEREID_CONFIG: '/nowhere.yaml', LOG_LEVEL: 'loud' }, {}); });`,
  );

  const { status, stdout, stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8' });

  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^the configuration has to be mended:\n {2}LOG_LEVEL: .*\n {2}NEREID_CONFIG: .*\n$/);
});

function messageOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
  throw new Error('expected a ConfigurationError');
}
