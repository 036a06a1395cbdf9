import { homedir } from 'node:os';
import { EXIT, ExitError } from './exit-code.ts';
import { runNereid } from './run-nereid.ts';

const leaving = new AbortController();
const leave = () => {
  leaving.abort(new ExitError(EXIT.interrupted, ''));
};
process.once('SIGINT', leave);
process.once('SIGTERM', leave);
// Somebody reads only the first lines.
process.stdout.on('error', leave);

const { argv, env, stdin, stdout, stderr } = process;
const world = {
  args: argv.slice(2),
  env,
  home: homedir(),
  folder: process.cwd(),
  user: process.getuid?.(),
  stdin,
  stdout,
  stderr,
  signal: leaving.signal,
  now: Date.now,
};
process.exitCode = await runNereid(world);
