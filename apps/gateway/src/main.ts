import { startOrExit } from '@nereid/config';
import { readConfig } from './config.ts';
import { createContext } from './context.ts';
import { openGateway } from './gateway.ts';
import { exitOnSignal } from './shutdown.ts';

await startOrExit(async () => {
  const config = readConfig(process.env, process.stdout.isTTY);
  const context = createContext(config);
  const gateway = await openGateway(config, context);
  exitOnSignal(gateway, context.logger);
  context.logger.info({ address: gateway.address, metrics: gateway.metricsAddress }, 'listening');
});
