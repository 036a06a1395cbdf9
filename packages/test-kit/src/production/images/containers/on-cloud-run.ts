/** The gateway's container with what its service file for Cloud Run gives it, beside a Temporal that speaks no TLS. */
import path from 'node:path';
import { CLOUD_RUN, readCloudRunService, type CloudRunService } from '../../cloud-run.ts';
import { REPOSITORY } from '../../../repository.ts';
import type { Engine } from '../engine.ts';
import { isHealthy } from './is-healthy.ts';
import { programIn, type Program } from './program.ts';

/** The name of the container. */
export const ON_CLOUD_RUN = 'gateway-on-cloud-run';

/** Of Temporal; and of the way there, on which the gateway reaches it. */
const [TEMPORAL_PORT, WAY_PORT] = ['7233', '7244'];

const OURS: Readonly<Record<string, string>> = {
  TEMPORAL_ADDRESS: `127.0.0.1:${WAY_PORT}`,
  TEMPORAL_NAMESPACE: 'default',
  GITHUB_APP_ID: '1',
};
/** Temporal's dev server takes none. */
const API_KEY = /^TEMPORAL_API_KEY|^nereid-temporal-api-key$/;
const PROGRAM = '/repository/packages/test-kit/src/production/images/containers/fixtures/webhooks.ts';
const SERVER_FILE = 'nereid.server.yaml';

interface Place {
  /** Options of `docker run`. */
  readonly network: readonly string[];
  /** The folder of the App's key, of the secret of webhooks and of the gateway's key. */
  readonly keys: string;
}

/** Resolves when the gateway is healthy. */
export async function startOnCloudRun(engine: Engine, place: Place): Promise<Program> {
  const service = await readCloudRunService('gateway');
  const github = await startGitHub(engine, place, service);
  const own = ['--detach', '--name', ON_CLOUD_RUN, ...place.network, ...limits(service)];
  const given = [...environment(service), ...files(service, place.keys)];
  await engine.docker(['run', ...own, ...given, 'nereid-gateway']);
  await isHealthy(engine, ON_CLOUD_RUN);
  return github;
}

/** In the worker's image, which has git. */
async function startGitHub(engine: Engine, { network, keys }: Place, service: CloudRunService): Promise<Program> {
  const [port] = service.container.ports;
  const args = [`http://127.0.0.1:${port?.containerPort}/events`, WAY_PORT, TEMPORAL_PORT, String(service.concurrency)];
  const readable = ['--volume', `${REPOSITORY}:/repository:ro`, '--volume', `${keys}:/keys:ro`];
  const own = ['--detach', '--name', 'webhooks', ...network, '--no-healthcheck', '--entrypoint', 'node', ...readable];
  await engine.docker(['run', ...own, 'nereid-worker', PROGRAM, ...args]);
  const program = programIn(engine, 'webhooks');
  await program.says('ready');
  return program;
}

/** There is no swap. */
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
