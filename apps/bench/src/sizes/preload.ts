/**
 * Loaded first by the processes of a stack: on SIGUSR2, a process collects its garbage, and writes what it takes into a file of its
 * working directory.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';
import { usageFileOf, type HeapUsage } from './usage-file.ts';

const BYTES_OF_A_MIB = 2 ** 20;

function collectOnSignal(): void {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void; // Only contexts that are made after the flag have it.
  let collected = 0;
  write(collected);
  process.on('SIGUSR2', () => {
    collectGarbage();
    collected += 1;
    write(collected);
  });
}

function write(collected: number): void {
  const { heapUsed, external } = process.memoryUsage();
  const usage: HeapUsage = { collected, heap: heapUsed / BYTES_OF_A_MIB, buffers: external / BYTES_OF_A_MIB };
  const file = usageFileOf('.', process.pid);
  writeFileSync(`${file}.new`, JSON.stringify(usage));
  renameSync(`${file}.new`, file);
}

if (isMainThread) collectOnSignal();
