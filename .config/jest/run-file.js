/**
 * Runs one test file as Node itself would, instead of in jest's own loader.
 *
 * Jest's loader compiles and evaluates every module again for each test file, and Node keeps each of them. Here the product's
 * modules, which keep no state, are evaluated once for each process; a test file and its helpers (`testing`, `fixtures`) once
 * for each file, so that their hooks and their state are its own. Modules cannot be mocked.
 */
import { createRequire, flushCompileCache } from 'node:module';
import { pathToFileURL } from 'node:url';
import { promiseHooks } from 'node:v8';
import { useGlobals } from './globals.js';
import { freshHelpers } from './modules.js';
import { notePrograms } from './programs.js';

const require = createRequire(import.meta.url);
const CIRCUS = createRequire(require.resolve('jest-circus/package.json')).resolve('./build/jestAdapterInit.js');
/** Streams and `fetch` would stand still without them. */
const NEEDED_BY_NODE = ['nextTick', 'queueMicrotask'];
/**
 * A worker that runs workflows in the thread of the tests would have this hook see every promise of the process, also those of
 * files to come, and fail at some. Workers of the product have none either.
 */
promiseHooks.createHook = () => () => undefined;

const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
const HANDLERS = Symbol.for('EVENT_HANDLERS');

export default async function runFile(globalConfig, config, environment, runtime, testPath, sendMessageToJest) {
  const restore = keepProcess();
  globalThis.console = environment.global.console;
  try {
    const circus = freshCircus();
    const { snapshotState } = await circus.initialize({
      config: { ...config, injectGlobals: false },
      environment,
      globalConfig,
      localRequire: require,
      parentProcess: process,
      runtime,
      sendMessageToJest,
      setGlobalsForRuntime: (globals) => useGlobals({ ...globals, jest: jestObject(environment) }),
      testPath,
    });
    freshHelpers();
    const programs = new Set();
    const results = await notePrograms(programs, async () => {
      await import(pathToFileURL(testPath).href);
      return circus.runAndTransformResultsToJestFormat({ config, globalConfig, testPath });
    });
    refusePrograms(config, programs);
    snapshotState.save();
    // Processes and threads that start before this one ends need it, too.
    flushCompileCache();
    return results;
  } finally {
    restore();
  }
}

/** Unit tests are for each change of a line, so they stay fast. */
function refusePrograms({ displayName }, [program]) {
  if (program === undefined || displayName?.name !== 'unit') return;
  throw new Error(`A unit test starts no program, but this file starts ${program}: name it *.programs.test.ts.`);
}

/** A file's tests and hooks are kept in the module itself, so each file gets one of its own. */
function freshCircus() {
  for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
    if (symbol.description === 'JEST_STATE_SYMBOL') delete globalThis[symbol];
  }
  delete globalThis[HANDLERS];
  delete require.cache[CIRCUS];
  return require(CIRCUS);
}

function jestObject({ moduleMocker, fakeTimersModern: timers }) {
  return {
    fn: moduleMocker.fn.bind(moduleMocker),
    spyOn: moduleMocker.spyOn.bind(moduleMocker),
    useFakeTimers: ({ doNotFake = [], ...options } = {}) =>
      timers.useFakeTimers({ ...options, doNotFake: [...NEEDED_BY_NODE, ...doNotFake] }),
    useRealTimers: () => timers.useRealTimers(),
    advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
    advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
    setSystemTime: (now) => timers.setSystemTime(now),
    setTimeout: (ms) => {
      globalThis[TIMEOUT] = ms;
    },
  };
}

/** What a test changes of its process, the next file in the same process does not find. */
function keepProcess() {
  const kept = { console: globalThis.console, env: { ...process.env }, folder: process.cwd() };
  return () => {
    globalThis.console = kept.console;
    delete globalThis[TIMEOUT];
    for (const name of Object.keys(process.env)) if (!(name in kept.env)) delete process.env[name];
    for (const [name, value] of Object.entries(kept.env)) if (process.env[name] !== value) process.env[name] = value;
    process.chdir(kept.folder);
  };
}
