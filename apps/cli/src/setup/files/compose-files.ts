/** What docker-compose.yml takes: its variables. Pure. */
import { join } from 'node:path';
import { githubApiUrlOf } from '@nereid/config';
import { wrongUsage } from '../../exit-code.ts';
import { CLIENT_SECRET_FILE, PRIVATE_KEY_FILE, WEBHOOK_SECRET_FILE, type App } from '../kept/app.ts';
import type { Answers } from '../kept/answers.ts';

export const ENVIRONMENT_FILE = 'environment';

const TEMPORAL = ['gateway', 'worker', 'console', 'temporal-ui'].flatMap((name) => [
  `temporal-client-${name}.pem`,
  `temporal-client-${name}-key.pem`,
]);

/** The files of docker-compose.yml. */
export const COMPOSE_SECRETS: readonly string[] = [
  ...['postgres-password', WEBHOOK_SECRET_FILE, PRIVATE_KEY_FILE, CLIENT_SECRET_FILE],
  ...['gateway', 'orders', 'pool', 'console', 'control-seal'].flatMap((name) => [
    `${name}-key.pem`,
    `${name}-key.pub.pem`,
  ]),
  ...['plan-key', 'link-key', 'session-key'],
  ...['temporal-ca.pem', 'temporal.pem', 'temporal-key.pem', ...TEMPORAL],
];

/** What the guides have people add: identities of roots, messages that are sealed, control without hosts. */
const ADDED_SECRETS = [
  ...['identity', 'pool-seal'].flatMap((name) => [`${name}-key.pem`, `${name}-key.pub.pem`]),
  'payload-key',
];

/** The files that containers may read: all but the key that makes certificates. */
export const CONTAINER_FILES: readonly string[] = [...COMPOSE_SECRETS, ...ADDED_SECRETS];

export interface ComposeInput {
  readonly answers: Answers;
  readonly app: App;
  /** Absolute. */
  readonly folder: string;
  readonly serverFile: string;
}

export function composeEnvironment({ answers, app, folder, serverFile }: ComposeInput): string {
  const variables = {
    NEREID_SECRETS: folder,
    NEREID_SERVER_CONFIG: serverFile,
    GITHUB_APP_ID: String(app.id),
    GITHUB_API_URL: githubApiUrlOf(answers.githubUrl),
    CONSOLE_URL: answers.consoleUrl,
    ...(app.clientId !== undefined && { GITHUB_CLIENT_SECRET_FILE: join(folder, CLIENT_SECRET_FILE) }),
  };
  return [
    '# Made by nereid setup, for docker compose: as .env beside docker-compose.yml, or named by COMPOSE_ENV_FILES.',
    ...Object.entries(variables).map(([name, value]) => `${name}=${valueOf(value)}`),
    '',
  ].join('\n');
}

/** Between single quotes, Compose takes everything as it is. */
function valueOf(value: string): string {
  if (/['\n\r\\]/.test(value))
    throw wrongUsage(`expected a folder without quotes, backslashes and line breaks in its name, found ${value}`);
  return /^[\w./:@+-]+$/.test(value) ? value : `'${value}'`;
}
