/** The App as GitHub knows it, against what it needs. */
import type { ServerConfig } from '@nereid/config';
import { fail, ok, skip, warn, type Check, type Finding } from '@nereid/doctor';
import { ForgeRefusedError, ForgeUnavailableError } from '@nereid/forge';
import { createGitHub, missingOf, type AppStatus, type Granted, type NeededFor } from '@nereid/github';
import type { AppConfig, WorkerConfig } from '../platform/config/config.ts';
import { compareClock } from './compare-clock.ts';

/** Three attempts fit into the time of a check. */
const REQUEST = { timeoutMs: 2_500, retryForMs: 4_000 };

export function githubChecks({ github: { apiUrl }, server }: WorkerConfig, app: AppConfig): readonly Check[] {
  const { appStatus } = createGitHub({
    appId: app.id,
    privateKey: app.privateKey.reveal(),
    apiUrl,
    ...REQUEST,
  });
  const needed = neededFor(server.current());
  const checks: Readonly<Record<string, (signal: AbortSignal) => Promise<Finding | readonly Finding[]>>> = {
    'github: app': () => checkApp(appStatus, needed),
    'github: installations': () => checkInstallations(appStatus, needed),
    'github: webhook': () => checkWebhook(appStatus),
    'github: deliveries': () => checkDeliveries(appStatus),
    clock: (signal) => checkClock(apiUrl, signal),
  };
  return Object.entries(checks).map(([name, look]) => ({ name, run: (signal) => orRefused(() => look(signal)) }));
}

async function orRefused(look: () => Promise<Finding | readonly Finding[]>): Promise<Finding | readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof ForgeRefusedError || error instanceof ForgeUnavailableError) return fail(error.message);
    throw error;
  }
}

async function checkApp(status: AppStatus, needed: readonly NeededFor[]): Promise<readonly Finding[]> {
  const grants = await status.readGrants();
  const missing = sentencesOn(grants, needed, `the App ${grants.slug}`, 'grant it on the page of the App');
  if (missing.length > 0) return missing;
  return [ok(`${grants.slug} takes our key, and has the permissions and events that it needs`)];
}

async function checkInstallations(status: AppStatus, needed: readonly NeededFor[]): Promise<readonly Finding[]> {
  const installations = await status.readInstallations();
  if (installations.length === 0)
    return [fail('expected the App to be installed, found that it is nowhere; install it on the repositories')];
  const findings = installations.flatMap((installation) => {
    const { account, isSuspended } = installation;
    if (isSuspended) return [warn(`${account}: suspended, so nothing is deployed there; let its owner resume it`)];
    const remedy = 'let its owner accept what the App asks for, on the page of the installation';
    return sentencesOn(installation, needed, `the installation of ${account}`, remedy);
  });
  if (findings.length > 0) return findings;
  return [
    ok(`installed for ${installations.map(({ account }) => account).join(', ')}, with the permissions that it needs`),
  ];
}

/** What only some repositories may need is no failure. */
function sentencesOn(granted: Granted, needed: readonly NeededFor[], who: string, remedy: string): readonly Finding[] {
  const { permissions, events } = missingOf(granted, needed);
  const sentence = (what: string, isOfAll: boolean) =>
    (isOfAll ? fail : warn)(`expected ${who} to have the ${what}, found that it does not; ${remedy}`);
  return [
    ...permissions.map(({ label, level, neededFor: use }) =>
      sentence(`permission "${label}": ${level}${reasonOf(use)}`, use !== 'merge queues'),
    ),
    ...events.map(({ label, neededFor: use }) => sentence(`event "${label}"${reasonOf(use)}`, use !== 'merge queues')),
  ];
}

function reasonOf(use: NeededFor): string {
  switch (use) {
    case 'everything':
      return '';
    case 'teams':
      return ', because the rules of the file name teams,';
    case 'merge queues':
      return ', in case a branch has a merge queue,';
    case 'deployments':
      return ', because the file has deployments,';
    case 'protection rules':
      return ', because the file has protection_rules,';
  }
}

/** By the server's file; which branch has a merge queue, only GitHub knows. */
function neededFor({ repositories, policies, notifications, protectionRules }: ServerConfig): readonly NeededFor[] {
  const rules = repositories.flatMap(({ settings, roots }) => [settings, ...roots.map((root) => root.settings)]);
  const namesTeams =
    rules.some(({ permissions }) => Object.values(permissions ?? {}).some((rule) => (rule.teams ?? []).length > 0)) ||
    rules.some(({ review }) => (review?.eachOf ?? []).length > 0) ||
    policies.some(({ owners }) => owners.teams.length > 0);
  const plansPulls = repositories.some(({ pullRequests }) => pullRequests === 'plan');
  const showsDeployments = notifications.some(({ target }) => target.kind === 'deployments');
  return [
    'everything',
    ...(namesTeams ? (['teams'] as const) : []),
    ...(plansPulls ? (['merge queues'] as const) : []),
    ...(showsDeployments ? (['deployments'] as const) : []),
    ...(protectionRules.length > 0 ? (['protection rules'] as const) : []),
  ];
}

async function checkWebhook(status: AppStatus): Promise<Finding> {
  const { url, contentType, hasSecret } = await status.readWebhook();
  const set = 'set it on the page of the App';
  if (url === undefined || url === '')
    return fail(`expected a webhook of the App, found none; ${set}: https://<gateway>/events, and a secret`);
  const address = URL.parse(url);
  if (address?.pathname.endsWith('/events') !== true)
    return fail(`expected a webhook that ends in /events, found ${url.split('?')[0] ?? ''}; ${set}`);
  if (contentType !== 'json')
    return fail(`expected the webhook to send JSON, found ${contentType ?? 'nothing'}; ${set} as application/json`);
  if (!hasSecret)
    return fail(`expected a secret of the webhook, found none; ${set} as GITHUB_WEBHOOK_SECRET of the gateway`);
  const shown = `${address.origin}${address.pathname}`;
  if (address.protocol !== 'https:' && !isHere(address))
    return warn(`expected a webhook with https, found ${shown}; let a proxy in front of the gateway speak TLS`);
  return ok(`goes to ${shown}, with a secret`);
}

function isHere({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}

async function checkDeliveries(status: AppStatus): Promise<Finding> {
  const last = await status.readLastDelivery();
  if (last === undefined)
    return skip('GitHub has sent no webhook yet: the page of the App shows its ping under Advanced');
  const { event, at, status: answer } = last;
  if (answer >= 200 && answer < 300) return ok(`the last webhook (${event}, ${at}) was answered with ${answer}`);
  const found = answer === 0 ? 'no answer' : `the status ${answer}`;
  return fail(`expected the last webhook (${event}, ${at}) to be taken, found ${found}; ${adviceOn(answer)}`);
}

function adviceOn(status: number): string {
  switch (status) {
    case 401:
    case 403:
      return 'give the App and the gateway the same secret, GITHUB_WEBHOOK_SECRET';
    case 404:
    case 405:
      return 'correct the URL of the webhook: https://<gateway>/events';
    default:
      return 'see whether the gateway runs and GitHub reaches it through the proxy, then redeliver the webhook on the page of the App';
  }
}

async function checkClock(apiUrl: string, signal: AbortSignal): Promise<Finding> {
  const look = await compareClock(apiUrl, signal);
  switch (look.kind) {
    case 'unknown':
      return warn(`expected to read the time from ${apiUrl}, found none; see github: app`);
    case 'right':
      return ok(`this machine is ${look.found}, which is near enough`);
    case 'wrong':
      return look.isRefused ? fail(look.sentence) : warn(look.sentence);
  }
}
