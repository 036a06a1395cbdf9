/**
 * Runs one program and ends it when the pipe on stdin closes: when whoever holds the other end says so, or dies in
 * whatever way. So a server that a test or the local stack started never outlives it, not even after SIGKILL.
 *
 * It exits as the program did, or as `exitCodeOf` tells that a signal killed it.
 *
 * Arguments: the milliseconds between SIGTERM and SIGKILL, the program, its arguments.
 */
import { spawn } from 'node:child_process';
import { exitCodeOf } from './ending.ts';

const [graceMs = '', program = '', ...args] = process.argv.slice(2);
const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });

child.on('error', (error) => {
  console.error(error.message);
  // What a shell answers for a program that cannot be run.
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
