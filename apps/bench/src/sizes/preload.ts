/**
 * Loaded first by the processes of a stack, and by their threads: on SIGUSR2, all of a process collect their garbage, and it writes
 * what they take into a file of its working directory.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';
import { usageFileOf, type HeapUsage } from './usage-file.ts';

const BYTES_OF_A_MIB = 2 ** 20;

/** A thread that has not answered by then hangs. */
const THREADS_MS = 2_000;

const ASKED = 'nereid-bench-asked';
const ANSWERED = 'nereid-bench-answered';

function collectOnSignal(): void {
  const asked = new BroadcastChannel(ASKED);
  const answered = new BroadcastChannel(ANSWERED);
  asked.unref();
  answered.unref();
  let [collected, threads] = [0, 0];
  answered.onmessage = ({ data }) => {
    threads += data as number; // As another thread posted it.
  };
  const write = () => {
    const { heapUsed, external } = process.memoryUsage();
    const [heap, buffers] = [heapUsed / BYTES_OF_A_MIB, external / BYTES_OF_A_MIB];
    const usage: HeapUsage = { collected, heap, threads, buffers };
    const file = usageFileOf('.', process.pid);
    writeFileSync(`${file}.new`, JSON.stringify(usage));
    renameSync(`${file}.new`, file);
  };
  write();
  process.on('SIGUSR2', () => {
    threads = 0;
    asked.postMessage('collect');
    collectGarbage();
    setTimeout(() => {
      collected += 1;
      write();
    }, THREADS_MS);
  });
}

function collectWhenAsked(): void {
  const asked = new BroadcastChannel(ASKED);
  const answered = new BroadcastChannel(ANSWERED);
  asked.unref();
  answered.unref();
  asked.onmessage = () => {
    collectGarbage();
    answered.postMessage(process.memoryUsage().heapUsed / BYTES_OF_A_MIB);
  };
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void; // Only contexts that are made after the flag have it.
if (isMainThread) collectOnSignal();
else collectWhenAsked();
