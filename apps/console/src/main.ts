import { runProcess } from '@nereid/process';
import { readConfig } from './config.ts';
import { openConsole } from './console.ts';
import { createContext } from './context.ts';

await runProcess(process.env, async (environment) => {
  const config = readConfig(environment, process.stdout.isTTY);
  return openConsole(config, await createContext(config));
});
