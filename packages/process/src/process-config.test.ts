import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { ConfigurationError, env } from '@nereid/config';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { readProcessConfig } from './process-config.ts';

const GOOD =
  'repositories: [{ match: acme/* }]\nstorage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }\n';

const folder = folderOfEachTest();
let file: string;

beforeEach(() => {
  file = join(folder, 'nereid.server.yaml');
  writeFileSync(file, GOOD);
});

describe('what a process reads before it starts', () => {
  test('its own variables, those of every process, and the server file', () => {
    const { server, ...read } = readProcessConfig({ NEREID_CONFIG: file, PORT: '5' }, false, {
      port: env.integer('PORT', { min: 1, max: 9 }),
    });

    expect(read).toMatchObject({
      values: { port: 5 },
      metricsAddress: undefined,
      log: { level: 'info', format: 'json' },
      temporal: { namespace: 'default', server: { address: '127.0.0.1:7233' } },
    });
    expect(server.current().commentNames).toEqual(['nereid']);
  });

  test('logs are pretty on a terminal, and JSON anywhere else', () => {
    const formatOf = (isTerminal: boolean) => readProcessConfig({ NEREID_CONFIG: file }, isTerminal, {}).log.format;

    expect(formatOf(true)).toBe('pretty');
    expect(formatOf(false)).toBe('json');
  });

  test('the problems of all of them are reported at once', () => {
    writeFileSync(file, `${GOOD}extra: 1\n`);

    expect(
      messageOf(() =>
        readProcessConfig(
          { NEREID_CONFIG: file, LOG_LEVEL: 'loud', TEMPORAL_ADDRESS: 'temporal' },
          false,
          { key: env.secret('KEY').required() },
          () => [{ path: 'KEY, LOCK', message: 'expected that they fit' }],
        ),
      ),
    ).toBe(
      `the configuration must be fixed:
  KEY: expected a value in KEY or in the file named by KEY_FILE, found nothing; set it
  LOG_LEVEL: expected one of "trace", "debug", "info", "warn", "error", "fatal", found "loud"
  TEMPORAL_ADDRESS: expected host:port of a server, like 127.0.0.1:7233, found "temporal"
  KEY, LOCK: expected that they fit
  ${file}:3:1 extra: expected a known key, found "extra"; known keys are repositories, workflows, policies, windows, budgets, waves, pools, terraform, storage, retention, audit, notifications, deployments, protection_rules, console, verify_presses, workflow_routing, comment_name, command_bots`,
    );
  });

  test('what the environment and the server file get wrong together is a problem', () => {
    const read = () =>
      readProcessConfig({ NEREID_CONFIG: file }, false, {}, (server) => [
        { path: 'X', message: `is not ${server?.commentNames.join()}` },
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
    expect(messageOf(() => readProcessConfig({ NEREID_CONFIG: path }, false, {}))).toBe(
      `the configuration must be fixed:
  NEREID_CONFIG: expected the server's configuration, found ${found}; set NEREID_CONFIG to the path of the file, which nereid setup writes`,
    );
  });
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
