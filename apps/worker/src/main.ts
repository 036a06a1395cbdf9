import { runProcess } from '@nereid/process';
import { readConfig } from './platform/config/config.ts';
import { createContext } from './platform/context.ts';
import { openWorker } from './worker.ts';

await runProcess(process.env, async (environment) => {
  const config = readConfig(environment, process.stdout.isTTY);
  return openWorker(config, await createContext(config, environment));
});
