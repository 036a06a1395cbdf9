import { demo } from './demo.ts';
import { once } from './once.ts';
import { readArguments } from './arguments.ts';
import { createReport } from './report.ts';

const read = readArguments(process.argv.slice(2), process.env);

if (read.kind === 'invalid') {
  console.error(read.message);
  process.exitCode = 2;
} else {
  const play = read.once ? once : demo;
  // A step that was interrupted may still wait for its deadline.
  process.exit(await play({ env: process.env, storage: read.storage, report: createReport(console.log) }));
}
