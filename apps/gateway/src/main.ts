import { openWithTemporal, runProcess } from '@nereid/process';
import { readConfig } from './config.ts';
import { createContext } from './context.ts';
import { openGateway } from './gateway.ts';

await runProcess(process.env, async (environment) => {
  const config = readConfig(environment, process.stdout.isTTY);
  const context = await createContext(config);
  return openWithTemporal(config.temporal, context.logger, () => openGateway(config, context));
});
