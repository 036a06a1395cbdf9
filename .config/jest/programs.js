import { AsyncLocalStorage } from 'node:async_hooks';
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

/** What is started on behalf of a test file, however late: the next file in the same process may run by then. */
const started = new AsyncLocalStorage();

const { ChildProcess } = childProcess;
const { spawn } = ChildProcess.prototype;
// Whatever does not wait for its program, `execFile` and `fork` among them, comes by here.
ChildProcess.prototype.spawn = function (options) {
  started.getStore()?.add(options.file);
  return spawn.call(this, options);
};
for (const name of ['execFileSync', 'execSync', 'spawnSync']) {
  const start = childProcess[name];
  childProcess[name] = (program, ...others) => {
    started.getStore()?.add(program);
    return start(program, ...others);
  };
}
syncBuiltinESMExports();

/** Adds the programs that `run` starts to the set, by path or name. */
export function notePrograms(programs, run) {
  return started.run(programs, run);
}
