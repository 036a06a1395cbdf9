import { openWithTemporal, runProcess } from '@nereid/process';
import { openConsole } from './console.ts';
import { createContext } from './context.ts';
import { requireStorage } from './doctor/require-storage.ts';
import { readConfig } from './platform/config/config.ts';

await runProcess(process.env, async (environment) => {
  const config = readConfig(environment, process.stdout.isTTY);
  const context = await createContext(config);
  await requireStorage(config, context.logger);
  return openWithTemporal(config.temporal, context.logger, () => openConsole(config, context));
});
