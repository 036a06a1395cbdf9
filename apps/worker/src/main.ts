import { runProcess } from '@nereid/process';
import { readConfig } from './config.ts';
import { createContext } from './context.ts';
import { openWorker } from './worker.ts';

await runProcess(async () => {
  const config = readConfig(process.env, process.stdout.isTTY);
  return openWorker(config, await createContext(config, process.env));
});
