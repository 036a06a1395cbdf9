import { demo } from './demo.ts';
import { homeOf } from './play.ts';
import { once } from './once.ts';
import { readArguments } from './arguments.ts';
import { createReport } from './report.ts';
import { reset } from './reset.ts';

const read = readArguments(process.argv.slice(2), process.env);
const home = homeOf(process.env);

switch (read.kind) {
  case 'invalid':
    console.error(read.message);
    process.exitCode = 2;
    break;
  case 'reset':
    process.exitCode = reset(home, console.log);
    break;
  case 'play': {
    const play = read.play === 'once' ? once : demo;
    // An interrupted step may still wait for its deadline, which would keep the process alive.
    const { storage, hasHistory } = read;
    process.exit(await play({ env: process.env, home, storage, hasHistory, report: createReport(console.log) }));
  }
}
