/** `node start.js <file>`: runs a process from its sources, as `npm start` does. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withTypeScript } from './with-typescript.js';

await withTypeScript(() => import(pathToFileURL(resolve(process.argv[2])).href));
