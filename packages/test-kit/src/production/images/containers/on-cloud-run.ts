/** The gateway's container with what its service file for Cloud Run gives it, beside a Temporal that speaks no TLS. */
import path from 'node:path';
import { CLOUD_RUN, readCloudRunService, type CloudRunService } from '../../cloud-run.ts';
import { REPOSITORY } from '../../repository.ts';
import type { Engine } from '../engine.ts';
import { isHealthy } from './is-healthy.ts';
import { startProgram, type Place, type Program } from './program.ts';

/** The name of the container. */
export const ON_CLOUD_RUN = 'gateway-on-cloud-run';

/** Of Temporal; and of the way there, on which the gateway reaches it. */
const [TEMPORAL_PORT, WAY_PORT] = ['7233', '7244'];

const OURS: Readonly<Record<string, string>> = {
  TEMPORAL_ADDRESS: `127.0.0.1:${WAY_PORT}`,
  TEMPORAL_NAMESPACE: 'default',
  GITHUB_APP_ID: '1',
};
const API_KEY = /^TEMPORAL_API_KEY|^nereid-temporal-api-key$/;
const SERVER_FILE = 'nereid.server.yaml';

/** Resolves when the gateway is healthy. */
export async function startOnCloudRun(engine: Engine, { network, keys }: Omit<Place, 'name'>): Promise<Program> {
  const service = await readCloudRunService('gateway');
  const [port] = service.container.ports;
  const webhookUrl = `http://127.0.0.1:${port?.containerPort}/events`;
  const args = [webhookUrl, WAY_PORT, TEMPORAL_PORT, String(service.concurrency)];
  const program = await startProgram(engine, { name: 'github', network, keys }, 'webhooks.ts', args);
  const own = ['--detach', '--name', ON_CLOUD_RUN, '--network', `container:${network}`];
  await engine.docker([
    'run',
    ...own,
    ...limits(service),
    ...environment(service),
    ...files(service, keys),
    'nereid-gateway',
  ]);
  await isHealthy(engine, ON_CLOUD_RUN);
  return program;
}

/** What it writes counts as memory there, and there is no other. */
function limits({ container }: CloudRunService): readonly string[] {
  const { cpu, memory } = container.resources.limits;
  const bytes = memory.replace(/(?<=^\d+[MG])i$/, '');
  return ['--cpus', cpu, '--memory', bytes, '--memory-swap', bytes];
}

function environment({ container }: CloudRunService): readonly string[] {
  const variables = (container.env ?? []).filter(({ name }) => !API_KEY.test(name));
  return variables.flatMap(({ name, value = '' }) => ['--env', `${name}=${OURS[name] ?? value}`]);
}

function files(service: CloudRunService, keys: string): readonly string[] {
  const given = [...service.files].filter(([secret]) => !API_KEY.test(secret));
  return given.flatMap(([, target]) => {
    const file = path.basename(target);
    const source = file === SERVER_FILE ? path.join(REPOSITORY, CLOUD_RUN, file) : path.join(keys, file);
    return ['--mount', `type=bind,source=${source},target=${target},readonly`];
  });
}
