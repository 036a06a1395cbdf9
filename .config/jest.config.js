import { enableCompileCache } from 'node:module';
import { availableParallelism } from 'node:os';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);
const testKit = path.join(root, 'packages/test-kit/src/temporal');

// What Node compiled of our sources, kept for the next process and thread: they would spend half of their time on it otherwise.
process.env['NODE_COMPILE_CACHE'] ??= path.join(root, 'node_modules/.cache/compiled');
enableCompileCache();

/** Node itself loads the test files, as the product. */
const project = {
  rootDir: root,
  testEnvironment: path.join(import.meta.dirname, 'jest/environment.js'),
  testRunner: path.join(import.meta.dirname, 'jest/run-file.js'),
  // The demo keeps files there that have their own package.json and tests.
  modulePathIgnorePatterns: ['<rootDir>/\\.nereid/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
};

// A real process or a real git takes a second or two, and ten times as long while others use all cores. Only a test that
// hangs reaches this limit; helpers that wait give up earlier, after two minutes, because they can say what they waited for.
const HANGS_AFTER_MS = 180_000;

// A process keeps what it has loaded, the test files among it. One whose heap exceeds this limit after a file is replaced, which
// costs two seconds. A file of workflow tests needs up to 900 MB, most of it off the heap, and no process should exceed 1 GB.
const HEAP_LIMIT = '250MB';

export default {
  // A file computes during a third of its time, and waits for processes during the rest: two cores take five.
  maxWorkers: Math.ceil(2.5 * availableParallelism()),
  testTimeout: HANGS_AFTER_MS,
  workerIdleMemoryLimit: HEAP_LIMIT,
  projects: [
    {
      ...project,
      displayName: 'unit',
      testMatch: ['<rootDir>/{apps,packages,workflows}/**/*.test.ts'],
      testPathIgnorePatterns: [
        '/node_modules/',
        '\\.(programs|browser|workflow|stack|faults|production|cluster)\\.test\\.ts$',
      ],
    },
    {
      ...project,
      displayName: 'programs',
      testMatch: ['<rootDir>/{apps,packages,workflows}/**/*.{programs,browser}.test.ts'],
    },
    {
      ...project,
      displayName: 'workflow',
      testMatch: ['<rootDir>/{apps,packages,workflows}/**/*.workflow.test.ts'],
      globalSetup: path.join(testKit, 'jest-global-setup.ts'),
      globalTeardown: path.join(testKit, 'jest-global-teardown.ts'),
    },
    {
      ...project,
      displayName: 'stack',
      testMatch: ['<rootDir>/apps/**/*.stack.test.ts'],
      runner: path.join(import.meta.dirname, 'stack-runner.js'),
    },
    {
      ...project,
      displayName: 'faults',
      testMatch: ['<rootDir>/apps/**/*.faults.test.ts'],
      runner: path.join(import.meta.dirname, 'stack-runner.js'),
    },
    {
      ...project,
      displayName: 'production',
      testMatch: ['<rootDir>/{apps,packages}/**/*.production.test.ts'],
      // They build images and start containers of the same names.
      runner: [path.join(import.meta.dirname, 'stack-runner.js'), { atOnce: 1 }],
    },
    {
      ...project,
      displayName: 'cluster',
      testMatch: ['<rootDir>/packages/**/*.cluster.test.ts'],
    },
  ],
};
