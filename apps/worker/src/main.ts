/** `main.ts [--workflows FILE]`: a worker, whose workflows FILE has as a bundle. */
import { parseArgs } from 'node:util';
import { runProcess } from '@nereid/process';
import { readConfig } from './platform/config/config.ts';
import { createContext } from './platform/context.ts';
import { openWorker } from './worker.ts';

const { workflows } = parseArgs({ options: { workflows: { type: 'string' } } }).values;

await runProcess(process.env, async (environment) => {
  const config = readConfig(environment, process.stdout.isTTY);
  return openWorker(config, await createContext(config, environment), workflows);
});
