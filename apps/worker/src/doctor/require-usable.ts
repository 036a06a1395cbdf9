/** What a worker looks at when it starts: it refuses what will not work before somebody changes something. */
import { probeAudit } from '@nereid/audit';
import { ConfigurationError, type LocatedProblem } from '@nereid/config';
import { ForgeRefusedError, ForgeShutOutError, ForgeUnavailableError } from '@nereid/forge';
import { createGitHub, missingOf, type GitHub } from '@nereid/github';
import { probeStorage } from '@nereid/storage';
import type { Logger } from 'pino';
import type { WorkerConfig } from '../platform/config/config.ts';
import { whyNotWritable } from '../platform/disk/writable.ts';
import { compareClock } from './compare-clock.ts';
import { useOf } from './storage-checks.ts';

type Look =
  | { readonly kind: 'usable' }
  /** `mayPass`: waiting may help, and the worker does without it meanwhile. */
  | { readonly kind: 'unusable'; readonly problem: LocatedProblem; readonly mayPass: boolean };

const USABLE: Look = { kind: 'usable' };

/** A worker that starts waits for it; three times that long, if nothing answers. */
const GITHUB = { timeoutMs: 2_000, retryForMs: 3_500 };

type Started = Pick<WorkerConfig, 'github' | 'roles' | 'server' | 'storage' | 'workDir'>;

/**
 * Throws a ConfigurationError with everything that is wrong of storage, the audit trail, the App, the clock and the folder for
 * working trees. A service that is only away is logged.
 */
export async function requireUsable(config: Started, logger: Pick<Logger, 'warn'>): Promise<void> {
  const looks = await Promise.all([
    lookAtTrees(config),
    ...lookAtStorage(config),
    ...probeAuditSinks(config),
    lookAtApp(config),
    lookAtOwnClock(config),
  ]);
  const unusable = looks.flatMap((look) => (look.kind === 'unusable' ? [look] : []));
  const problems = unusable.filter(({ mayPass }) => !mayPass).map(({ problem }) => problem);
  if (problems.length > 0) throw new ConfigurationError(problems);
  for (const { problem } of unusable)
    logger.warn({ setting: problem.path, reason: problem.message }, 'something that this worker needs is away');
}

function lookAtStorage({ storage, roles }: Started): readonly Promise<Look>[] {
  return (['deployments', 'plans', 'logs'] as const).map(async (name) => {
    // A cloud grants each role what it needs, and nothing else; a folder divides no roles.
    const use = storage[name].startsWith('file:') ? 'all' : useOf(name, roles);
    const probed = await probeStorage(storage[name], storage, use);
    return probed.kind === 'usable' ? USABLE : unusable(`storage.${name}`, probed.sentence, probed.mayPass);
  });
}

function probeAuditSinks({ roles, server }: Started): readonly Promise<Look>[] {
  if (!roles.includes('control')) return [];
  const { audit } = server.current();
  return audit.to.map(async (sink) => {
    const probed = await probeAudit(sink, audit);
    return probed.kind === 'unusable' ? unusable('audit.to', probed.sentence, probed.mayPass) : USABLE;
  });
}

async function lookAtTrees({ roles, workDir }: Started): Promise<Look> {
  if (!roles.includes('terraform')) return USABLE;
  const problem = await whyNotWritable('WORK_DIR', workDir);
  return problem ? { kind: 'unusable', problem, mayPass: false } : USABLE;
}

async function lookAtApp({ roles, github: { app, apiUrl } }: Started): Promise<Look> {
  if (app === undefined || !roles.includes('control')) return USABLE;
  const github = createGitHub({ appId: app.id, privateKey: app.privateKey.reveal(), apiUrl, ...GITHUB });
  try {
    return await judgeApp(github);
  } catch (error) {
    // The App may have been deleted, or GitHub be wrong: what is open has to go on all the same, and people break glass by this
    // worker.
    if (error instanceof ForgeShutOutError || error instanceof ForgeRefusedError)
      return unusable('GITHUB_APP_PRIVATE_KEY', error.message, true);
    if (error instanceof ForgeUnavailableError) return unusable('GITHUB_API_URL', error.message, true);
    throw error;
  }
}

/** A worker of the wrong time is refused wherever it signs something, and takes what has expired for valid. */
async function lookAtOwnClock({ roles, github: { app, apiUrl } }: Started): Promise<Look> {
  if (app === undefined || !roles.includes('control')) return USABLE;
  const look = await compareClock(apiUrl, AbortSignal.timeout(GITHUB.timeoutMs));
  if (look.kind !== 'wrong') return USABLE;
  return unusable('clock', look.sentence, !look.isRefused);
}

async function judgeApp({ appStatus }: GitHub): Promise<Look> {
  const grants = await appStatus.readGrants();
  const { permissions, events } = missingOf(grants, ['everything']);
  const missing = [...permissions.map(({ label, level }) => `${label}: ${level}`), ...events.map(({ label }) => label)];
  if (missing.length === 0) return USABLE;
  const sentence = `expected the App ${grants.slug} to have all permissions and events that it needs, found it without ${missing.join(', ')}; grant them on the page of the App`;
  return unusable('GITHUB_APP_ID', sentence, false);
}

function unusable(path: string, message: string, mayPass: boolean): Look {
  return { kind: 'unusable', problem: { path, message }, mayPass };
}
