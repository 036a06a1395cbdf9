import { startOrExit } from '@nereid/config';
import { readConfig } from './config.ts';
import { createContext } from './context.ts';
import { exitOnSignal } from './shutdown.ts';
import { openWorker } from './worker.ts';

await startOrExit(async () => {
  const config = readConfig(process.env, process.stdout.isTTY);
  const context = await createContext(config, process.env);
  const worker = await openWorker(config, context);
  exitOnSignal(worker, context.logger);
  context.logger.info(
    { address: worker.address, metrics: worker.metricsAddress, host: context.hostId, roles: config.roles },
    'working',
  );
});
