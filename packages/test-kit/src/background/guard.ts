/**
 * Runs one program and ends it when the pipe on stdin closes: the process at the other end has closed it, or has died in
 * whatever way. So a server never outlives the test or the local stack that started it, not even after SIGKILL.
 *
 * The guard exits with the program's exit code, or with that of `exitCodeOf` when a signal killed the program.
 *
 * Arguments: the milliseconds between SIGTERM and SIGKILL, the program, its arguments.
 */
import { spawn } from 'node:child_process';
import { exitCodeOf } from './ending.ts';

const [graceMs = '', program = '', ...args] = process.argv.slice(2);
const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });

child.on('error', (error) => {
  console.error(error.message);
  // A shell's exit code for a program that cannot be run.
  process.exit(127);
});
child.on('exit', (code, signal) => {
  process.exit(exitCodeOf(code, signal));
});

process.on('SIGTERM', stop);
process.on('SIGINT', stop);
process.stdin.on('close', stop).resume();

function stop(): void {
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), Number(graceMs)).unref();
}
