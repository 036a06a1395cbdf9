import { runProcess } from '@nereid/process';
import { readConfig } from './config.ts';
import { openConsole } from './console.ts';
import { createContext } from './context.ts';

await runProcess(async () => {
  const config = readConfig(process.env, process.stdout.isTTY);
  return openConsole(config, await createContext(config));
});
