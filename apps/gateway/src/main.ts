import { runProcess } from '@nereid/process';
import { readConfig } from './config.ts';
import { createContext } from './context.ts';
import { openGateway } from './gateway.ts';

await runProcess(() => {
  const config = readConfig(process.env, process.stdout.isTTY);
  return openGateway(config, createContext(config));
});
