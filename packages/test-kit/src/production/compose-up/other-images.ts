/** Makes the images of docker-compose.yml that are not ours: PostgreSQL of Debian, and Temporal's programs as Go builds them. */
import { TEMPORAL_SERVER } from '@nereid/temporal/versions';
import { copyFile, cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { findTemporalServer } from '../../temporal/postgres/find-temporal-server.ts';
import type { Environment } from '../../toolchain/environment.ts';
import type { Compose } from '../compose.ts';
import type { Engine } from '../images/engine.ts';

/** By the service that begins from it. */
const TARGETS = { postgres: 'postgres', temporal: 'temporal', 'temporal-schema': 'admin-tools' } as const;
const BUILD_TIMEOUT_MS = 20 * 60_000;

/** The images get the names of the file, without digests. `node` is the image that they begin from, `scratch` a folder for files. */
export async function buildOtherImages(
  engine: Engine,
  compose: Compose,
  { node, scratch, env }: { readonly node: string; readonly scratch: string; readonly env: Environment },
): Promise<void> {
  const folder = path.join(scratch, 'other-images');
  await mkdir(folder);
  await cp(path.join(import.meta.dirname, 'fixtures'), folder, { recursive: true });
  const { server, sqlTool } = await findTemporalServer(env, () => undefined);
  await copyFile(server, path.join(folder, 'temporal-server'));
  await copyFile(sqlTool, path.join(folder, 'temporal-sql-tool'));
  for (const [service, target] of Object.entries(TARGETS)) {
    const name = withoutDigest(compose.services[service]?.image ?? '');
    if (service !== 'postgres' && !name.endsWith(`:${TEMPORAL_SERVER}`))
      throw new Error(`expected ${name} to be ${TEMPORAL_SERVER}, like what Go builds; make the versions the same`);
    const options = ['--network', 'host', '--build-arg', `NODE=${node}`, '--target', target, '--tag', name];
    await engine.docker(['build', ...options, folder], BUILD_TIMEOUT_MS);
  }
}

export function withoutDigest(image: string): string {
  return image.replace(/@sha256:[0-9a-f]{64}$/, '');
}
