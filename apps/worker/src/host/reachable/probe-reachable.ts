/** Says at the start what code of repositories reaches although it should not, or refuses to start. */
import { ConfigurationError, type ServerConfig } from '@nereid/config';
import { realFile } from '@nereid/subprocess';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { givenFiles, sandboxWith } from '../job/sandbox.ts';
import type { HostContext } from '../job/tools.ts';
import { whatAnswers, type Target } from './what-answers.ts';

export interface ReachableProbe extends Pick<HostContext, 'environment'> {
  readonly server: { current(): Pick<ServerConfig, 'terraform'> };
  readonly logger: Pick<Logger, 'warn'>;
  readonly metrics: { readonly registry: Registry };
}

/** Throws a ConfigurationError when something answers and the server's file says `refuse`, or when nobody can look. */
export async function probeReachable(
  { server, environment, logger, metrics: { registry } }: ReachableProbe,
  targets: readonly Target[],
): Promise<void> {
  const { terraform } = server.current();
  if (terraform.reachable === 'off') return;
  const answering = await lookFor(targets, () => whatAnswersHere(terraform, environment, targets), {
    terraform,
    logger,
  });
  if (answering === undefined) return;
  measure(registry, targets, answering);
  if (terraform.reachable === 'refuse' && answering.length > 0) {
    throw new ConfigurationError([{ path: 'terraform.reachable', message: refusalOf(answering) }]);
  }
  for (const { name, host, port } of answering) {
    logger.warn(
      { target: name, host, port },
      `code of repositories reaches this, from inside its sandbox: ${adviceFor(name)}`,
    );
  }
}

/** Looks from inside a sandbox as the server's file wants it. Throws when that cannot be found out. */
export async function whatAnswersHere(
  terraform: ServerConfig['terraform'],
  environment: HostContext['environment'],
  targets: readonly Target[],
): Promise<readonly Target[]> {
  if (terraform.sandbox === 'none') return whatAnswers(targets, undefined);
  const files = [...givenFiles(terraform), realFile({ path: process.execPath, access: 'read' })];
  return whatAnswers(targets, sandboxWith(terraform, environment['PATH'], files));
}

/** A look that fails is no reason not to deploy, unless somebody wants to be sure. */
async function lookFor(
  targets: readonly Target[],
  look: () => Promise<readonly Target[]>,
  {
    terraform,
    logger,
  }: { readonly terraform: Pick<ServerConfig['terraform'], 'reachable'> } & Pick<ReachableProbe, 'logger'>,
): Promise<readonly Target[] | undefined> {
  try {
    return await look();
  } catch (error) {
    const message = `whether ${targets.map(({ name }) => name).join(', ')} answer in a sandbox cannot be found out`;
    if (terraform.reachable === 'refuse')
      throw new ConfigurationError([{ path: 'terraform.reachable', message: `${message}: ${String(error)}` }]);
    logger.warn({ err: error }, message);
    return undefined;
  }
}

export function refusalOf(answering: readonly Target[]): string {
  const found = answering.map(({ name, host, port }) => `${name} (${host}:${port})`).join(', ');
  return `expected that the code of repositories cannot reach Temporal, the console or metadata services, found that these answer in a sandbox: ${found}; block them by "network: none" or a network policy, or write "reachable: warn"`;
}

function measure(registry: Registry, targets: readonly Target[], answering: readonly Target[]): void {
  const gauge = new Gauge({
    name: 'nereid_sandbox_reaches',
    help: '1 for a target that answered from inside a sandbox when this worker started, although no code of repositories needs it.',
    labelNames: ['target'],
    registers: [registry],
  });
  for (const target of targets) gauge.set({ target: target.name }, Number(answering.includes(target)));
}

export function adviceFor(target: string): string {
  switch (target) {
    case 'temporal':
      return 'have Temporal ask for a client certificate (mTLS), so that only our processes are let in';
    case 'console':
      return 'let only its login proxy and people reach it, by a network policy';
    default:
      return 'it may hand out the credentials of this machine: forbid its address by a network policy, or ask for a hop limit of 1';
  }
}
