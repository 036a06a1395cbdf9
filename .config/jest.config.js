import path from 'node:path';

const root = path.dirname(import.meta.dirname);
const testKit = path.join(root, 'packages/test-kit/src/temporal');

/** Native ES modules: Node runs the sources as they are, swc only strips the types for jest's loader. */
const project = {
  rootDir: root,
  testEnvironment: 'node',
  // What the demo keeps there has package.json files and tests of its own.
  modulePathIgnorePatterns: ['<rootDir>/\\.nereid/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' }, sourceMaps: 'inline' },
    ],
  },
};

// A real process or a real git takes a second or two, and ten times as long while others use all cores. Only what hangs
// reaches this; helpers that wait give up after two minutes, before it, because they can say what they waited for.
const HANGS_AFTER_MS = 180_000;

// Node keeps every ES module that jest's loader evaluated (nodejs/node#63186), 5 to 50 MB for each test file, as long as the
// process lives: one whose heap exceeds this after a file makes room for a new one, which is there within a second. A file
// of workflow tests needs up to 900 MB by itself, most of it not on the heap, and no process is to grow beyond 1 GB.
const HEAP_LIMIT = '150MB';

export default {
  // Tests wait for processes more than they compute, so each core takes one file.
  maxWorkers: '100%',
  testTimeout: HANGS_AFTER_MS,
  workerIdleMemoryLimit: HEAP_LIMIT,
  projects: [
    {
      ...project,
      displayName: 'unit',
      testMatch: ['<rootDir>/{apps,packages,workflows}/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '\\.(workflow|stack|faults)\\.test\\.ts$'],
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
  ],
};
