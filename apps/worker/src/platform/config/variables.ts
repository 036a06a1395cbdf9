/** The variables that a worker reads. */
import { env, STORAGE_VARIABLES, type ValuesOf } from '@nereid/config';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { TRACE_VARIABLES } from '@nereid/process';
import { IDENTITY_VARIABLES } from './identity-config.ts';
import { ROLES } from './roles.ts';

/** AES-256. */
export const PLAN_KEY_BYTES = 32;

export const VARIABLES = {
  roles: env.someOf('WORKER_ROLES', ROLES).default('control,terraform'),
  pool: env.string('POOL').default(DEFAULT_POOL),
  address: env.address('WORKER_ADDRESS').default('127.0.0.1:4142'),
  appId: env.integer('GITHUB_APP_ID', { min: 1, max: 999_999_999_999 }),
  privateKey: env.rsaKey('GITHUB_APP_PRIVATE_KEY'),
  apiUrl: env.url('GITHUB_API_URL').default('https://api.github.com'),
  dataDir: env.path('DATA_DIR').default('/var/lib/nereid'),
  workDir: env.path('WORK_DIR').default('/var/lib/nereid/work'),
  planKeys: env.keys('PLAN_KEY', PLAN_KEY_BYTES),
  linkKeys: env.signingKeys('LINK_KEY'),
  gatewayPublicKey: env.publicKeys('GATEWAY_PUBLIC_KEY'),
  consolePublicKey: env.publicKeys('CONSOLE_PUBLIC_KEY'),
  controlSealKeys: env.openingKeys('CONTROL_SEAL_KEY'),
  ordersKey: env.privateKey('ORDERS_KEY'),
  ordersPublicKey: env.publicKeys('ORDERS_PUBLIC_KEY'),
  poolKey: env.privateKey('POOL_KEY'),
  poolPublicKey: env.publicKeys('POOL_PUBLIC_KEY'),
  poolSealKeys: env.openingKeys('POOL_SEAL_KEY'),
  poolSealPublicKey: env.sealingKey('POOL_SEAL_PUBLIC_KEY'),
  ...IDENTITY_VARIABLES,
  consoleUrl: env.url('CONSOLE_URL').default('http://127.0.0.1:4144'),
  diskBudgetBytes: env.bytes('DISK_BUDGET').default('20GB'),
  shutdownGraceMs: env.duration('SHUTDOWN_GRACE'),
  ...TRACE_VARIABLES,
  ...STORAGE_VARIABLES,
};

export type Values = ValuesOf<typeof VARIABLES>;
