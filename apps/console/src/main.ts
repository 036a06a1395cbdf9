import { startOrExit } from '@nereid/config';
import { readConfig } from './config.ts';
import { openConsole } from './console.ts';
import { createContext } from './context.ts';
import { exitOnSignal } from './shutdown.ts';

await startOrExit(async () => {
  const config = readConfig(process.env, process.stdout.isTTY);
  const context = await createContext(config);
  const openedConsole = await openConsole(config, context);
  exitOnSignal(openedConsole, context.logger);
});
