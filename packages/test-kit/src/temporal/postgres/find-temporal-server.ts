/** A Temporal server as companies run it, and the tool for its databases: from our cache; else built with Go. No registry has them as programs. */
import { TEMPORAL_SERVER } from '@nereid/temporal/versions';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { toolCache, type Environment } from '../../toolchain/environment.ts';
import { InstallError } from '../../toolchain/errors.ts';
import { goInstall, whyNoGo } from '../../toolchain/go-install.ts';
import { exists, installOnce } from '../../toolchain/install-once.ts';
import { withElapsed, type Report } from '../../toolchain/report.ts';

/** The paths of the programs, which have their names of the official images. */
export interface TemporalServerPrograms {
  readonly server: string;
  readonly sqlTool: string;
}

/** By the name in the official images: the package of Go. */
const PACKAGES = {
  'temporal-server': 'go.temporal.io/server/cmd/server',
  'temporal-sql-tool': 'go.temporal.io/server/cmd/tools/sql',
} as const;

/** Throws `InstallError`. */
export async function findTemporalServer(env: Environment, report: Report): Promise<TemporalServerPrograms> {
  const folder = path.join(toolCache(env), `temporal-server-${TEMPORAL_SERVER}`);
  if (!(await exists(folder))) await build(folder, env, report);
  return { server: path.join(folder, 'temporal-server'), sqlTool: path.join(folder, 'temporal-sql-tool') };
}

async function build(folder: string, env: Environment, report: Report): Promise<void> {
  const noGo = await whyNoGo(env);
  if (noGo !== undefined)
    throw new InstallError(`expected Go, which builds the Temporal server, found none; install it. ${noGo}`);
  const title = `building the Temporal server ${TEMPORAL_SERVER} with Go, which takes minutes the first time`;
  await withElapsed(report, title, () =>
    installOnce({ folder, report, install: (staging) => buildPrograms(staging, env) }),
  );
}

async function buildPrograms(staging: string, env: Environment): Promise<void> {
  for (const [program, module] of Object.entries(PACKAGES)) {
    await goInstall({ module, version: TEMPORAL_SERVER, folder: staging, env });
    await rename(path.join(staging, path.basename(module)), path.join(staging, program));
  }
}
