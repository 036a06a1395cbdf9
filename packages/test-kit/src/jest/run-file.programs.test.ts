/** How `.config/jest` runs test files: a process is shared, and yet each file is alone. */
import { expect, test } from '@jest/globals';
import { runCommand } from '@nereid/subprocess';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { REPOSITORY } from '../repository.ts';
import { folderOfEachTest } from '../testing/folders.ts';

const TIMEOUT_MS = 120_000;
const JEST = path.join(REPOSITORY, 'node_modules/jest/bin/jest.js');

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const folder = folderOfEachTest();

/** Returns what became of each test, by file and title. */
async function run(
  files: Readonly<Record<string, string>>,
  workers: '--runInBand' | '--maxWorkers=2',
  suite = 'unit',
): Promise<Readonly<Record<string, string>>> {
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  const config = {
    displayName: suite,
    rootDir: folder,
    testMatch: ['**/*.test.ts'],
    extensionsToTreatAsEsm: ['.ts'],
    transform: {},
    testEnvironment: path.join(REPOSITORY, '.config/jest/environment.js'),
    testRunner: path.join(REPOSITORY, '.config/jest/run-file.js'),
  };
  const settings = path.join(folder, 'config.json');
  await writeFile(settings, JSON.stringify(config));
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
  const report = path.join(folder, 'report.json');
  await runCommand({
    argv: [process.execPath, JEST, workers, '--no-watchman', '-c', settings, '--json', `--outputFile=${report}`],
    env: { PATH: process.env['PATH'] ?? '', HOME: folder },
    cwd: folder,
    timeoutMs: TIMEOUT_MS,
  });
  const { testResults } = JSON.parse(await readFile(report, 'utf8')) as Report; // Written by jest.
  return Object.fromEntries(
    testResults.flatMap(({ name, message, assertionResults }) => {
      const file = path.basename(name);
      if (assertionResults.length === 0) return [[file, firstLine(message.replace(NOT_RUN, ''))]];
      return assertionResults.map(({ title, status, failureMessages: [failure] }) => [
        `${file}: ${title}`,
        failure === undefined ? status : firstLine(failure),
      ]);
    }),
  );
}

/** What jest writes above the failure of a whole file. */
const NOT_RUN = /^.*Test suite failed to run\s*/;

const firstLine = (text: string) => stripVTControlCharacters(text).split('\n')[0] ?? '';

test('whatever a file changes of its process, the next file does not find', async () => {
  const file = `
    import { expect, jest, test } from '@jest/globals';
    import { tmpdir } from 'node:os';
    import { kept } from './testing.ts';
    test('finds nothing', () => {
      expect([process.env['LEFT'], kept.length, Math.random() === 7, Date.now() === 7]).toEqual([undefined, 0, false, false]);
      expect(process.cwd()).not.toBe(tmpdir());
    });
    test('leaves something', () => {
      process.env['LEFT'] = 'something';
      process.chdir(tmpdir());
      jest.spyOn(Math, 'random').mockReturnValue(7);
      jest.useFakeTimers({ now: 7 });
      kept.push('something');
      expect([Math.random(), Date.now()]).toEqual([7, 7]);
    });
    test('is cleaned up by its helper', () => expect(kept).toEqual([]));`;
  const helper = `
    import { afterEach } from '@jest/globals';
    export const kept: string[] = [];
    afterEach(() => { kept.splice(0); });`;

  const outcomes = await run({ 'testing.ts': helper, 'one.test.ts': file, 'other.test.ts': file }, '--runInBand');

  expect(Object.keys(outcomes)).toHaveLength(6);
  expect(new Set(Object.values(outcomes))).toEqual(new Set(['passed']));
});

test('a folder of a test file is new for each test, is there until the last hook, and then goes', async () => {
  const helper = path.join(REPOSITORY, 'packages/test-kit/src/testing/folders.ts');
  const file = `
    import { existsSync, readdirSync, writeFileSync } from 'node:fs';
    import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
    import { folderOfEachTest, folderOfThisFile } from '${helper}';
    const each = folderOfEachTest();
    const shared = folderOfThisFile();
    beforeAll(() => writeFileSync(shared + '/at-first', ''));
    beforeEach(() => writeFileSync(each + '/at-first', ''));
    afterEach(() => writeFileSync(each + '/at-last', ''));
    afterAll(() => writeFileSync(shared + '/at-last', ''));
    test.each(['one', 'other'])('%s', (name) => {
      expect(each).toMatch(/nereid-folders-[0-9a-f]+$/);
      expect(readdirSync(each)).toEqual(['at-first']);
      writeFileSync(shared + '/' + name, '');
      expect(readdirSync(shared)).toEqual(name === 'one' ? ['at-first', name] : ['at-first', 'one', name]);
      writeFileSync('${folder}/folders.json', JSON.stringify([each, shared]));
    });`;

  const outcomes = await run({ 'folders.test.ts': file }, '--runInBand');

  expect(outcomes).toEqual({ 'folders.test.ts: one': 'passed', 'folders.test.ts: other': 'passed' });
  const folders = JSON.parse(await readFile(path.join(folder, 'folders.json'), 'utf8')) as readonly string[];
  expect(folders.map(existsSync)).toEqual([false, false]);
});

test('each way to fail is told of the test that failed', async () => {
  const failing = `
    import { beforeAll, describe, expect, test } from '@jest/globals';
    const soon = () => new Promise((resolve) => setTimeout(resolve, 100));
    test('compares', () => expect({ a: 1 }).toEqual({ a: 2 }));
    test('throws', () => { throw new Error('thrown'); });
    test('throws what cannot be sent', () => { throw { message: 'unsent', send() {} }; });
    test('hangs', () => new Promise(() => {}), 100);
    test('rejects', async () => { void Promise.reject(new Error('rejected')); await soon(); });
    test('throws later', async () => { setImmediate(() => { throw new Error('thrown later'); }); await soon(); });
    test('asserts too little', () => expect.assertions(1));
    describe('in a group', () => { beforeAll(() => { throw new Error('in a hook'); }); test('is not reached', () => {}); });
    test('passes', () => expect(new Error('one')).toBeInstanceOf(Error));`;

  const broken = `throw new Error('at once');`;

  const outcomes = await run({ 'failing.test.ts': failing, 'broken.test.ts': broken }, '--maxWorkers=2');

  expect(outcomes).toEqual({
    'broken.test.ts': 'at once',
    'failing.test.ts: compares': 'Error: expect(received).toEqual(expected) // deep equality',
    'failing.test.ts: throws': 'Error: thrown',
    'failing.test.ts: throws what cannot be sent': 'unsent',
    'failing.test.ts: hangs': expect.stringContaining('Exceeded timeout of 100 ms for a test'),
    'failing.test.ts: rejects': 'Error: rejected',
    'failing.test.ts: throws later': 'Error: thrown later',
    'failing.test.ts: asserts too little': expect.stringContaining('expect.assertions(1)'),
    'failing.test.ts: is not reached': 'Error: in a hook',
    'failing.test.ts: passes': 'passed',
  });
});

/** When a file is loaded, in a test that waits for its program, and in one that is blocked by it. */
const STARTING = {
  'loaded.test.ts': aFile(`execFileSync('true');`, ''),
  'waits.test.ts': aFile('', `await once(spawn('true'), 'close');`),
  'blocks.test.ts': aFile('', `execFileSync('true');`),
};

function aFile(atOnce: string, inTest: string): string {
  return `
    import { execFileSync, spawn } from 'node:child_process';
    import { once } from 'node:events';
    import { test } from '@jest/globals';
    ${atOnce}
    test('passes', async () => { ${inTest} });`;
}

test('a unit test that starts a program fails, and others of its process do not', async () => {
  const outcomes = await run({ ...STARTING, 'starts-none.test.ts': aFile('', '') }, '--runInBand');

  const refusal = 'A unit test starts no program, but this file starts true: name it *.programs.test.ts.';
  expect(outcomes).toEqual({
    'loaded.test.ts': refusal,
    'waits.test.ts': refusal,
    'blocks.test.ts': refusal,
    'starts-none.test.ts: passes': 'passed',
  });
});

test('a test of the suite for programs may start one', async () => {
  const outcomes = await run(STARTING, '--runInBand', 'programs');

  expect(Object.keys(outcomes)).toHaveLength(3);
  expect(new Set(Object.values(outcomes))).toEqual(new Set(['passed']));
});
