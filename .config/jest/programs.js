import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

/** What this process started since it was last asked. */
const started = new Set();

const { ChildProcess } = childProcess;
const { spawn } = ChildProcess.prototype;
// Whatever does not wait for its program, `execFile` and `fork` among them, comes by here.
ChildProcess.prototype.spawn = function (options) {
  started.add(options.file);
  return spawn.call(this, options);
};
for (const name of ['execFileSync', 'execSync', 'spawnSync']) {
  const start = childProcess[name];
  childProcess[name] = (program, ...others) => {
    started.add(program);
    return start(program, ...others);
  };
}
syncBuiltinESMExports();

/** Each by its path or name. */
export function startedPrograms() {
  const programs = [...started];
  started.clear();
  return programs;
}
