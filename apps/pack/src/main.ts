/** `node main.ts`: makes the package `nereid` from this clone, below dist. */
import path from 'node:path';
import { pack } from './pack.ts';

const TOP = path.join(import.meta.dirname, '../../..');

process.stdout.write(`${path.relative(TOP, await pack({ top: TOP, folder: path.join(TOP, 'dist') }))}\n`);
