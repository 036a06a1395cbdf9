/** The key with which control says to clouds who a job is, and the URL under which clouds find its public half. */
import {
  env,
  readEnv,
  type EnvironmentRecord,
  type LocatedProblem,
  type ServerConfig,
  type ValuesOf,
} from '@nereid/config';
import type { IssuerOptions } from '@nereid/signature';
import type { Role } from './roles.ts';

export const IDENTITY_VARIABLES = {
  identityKey: env.identityKey('IDENTITY_KEY'),
  identityIssuer: env.issuer('IDENTITY_ISSUER'),
};

/** Undefined where roots have no identities. */
export function issuerOptionsOf({
  identityKey: privateKey,
  identityIssuer: url,
}: ValuesOf<typeof IDENTITY_VARIABLES>): IssuerOptions | undefined {
  return privateKey === undefined || url === undefined ? undefined : { url, privateKey };
}

interface Worker {
  readonly roles: readonly Role[];
  readonly hasSealKey: boolean;
}

/**
 * The settings that a worker lacks to give roots the identities of the server's file. Reports nothing when a variable is invalid
 * itself.
 */
export function identityProblems(
  record: EnvironmentRecord,
  server: Pick<ServerConfig, 'repositories'>,
  { roles, hasSealKey }: Worker,
): readonly LocatedProblem[] {
  const read = readEnv(record, IDENTITY_VARIABLES);
  const hasIdentities = server.repositories.some(({ settings, roots }) =>
    [settings, ...roots.map((rule) => rule.settings)].some(({ identity }) => identity !== undefined),
  );
  if (read.kind === 'invalid' || !hasIdentities) return [];
  const { identityKey, identityIssuer } = read.values;
  const isControl = roles.includes('control');
  return [
    ...(isControl && identityKey === undefined ? [missing('IDENTITY_KEY', KEY)] : []),
    ...(isControl && identityIssuer === undefined ? [missing('IDENTITY_ISSUER', URL_OF_ISSUER)] : []),
    ...(!isControl && !hasSealKey ? [missing('POOL_SEAL_KEY', SEAL_KEY)] : []),
  ];
}

const KEY = [
  'an RSA private key as PEM, in IDENTITY_KEY or in the file named by IDENTITY_KEY_FILE',
  'make all keys with: nereid keys FOLDER',
] as const;

const URL_OF_ISSUER = [
  'the https URL under which clouds find the keys of identities, like https://nereid.example.org',
  'set it to the URL of the gateway',
] as const;

const SEAL_KEY = [
  'an X25519 key as PEM, in POOL_SEAL_KEY or in the file named by POOL_SEAL_KEY_FILE',
  'make all keys with: nereid keys FOLDER',
] as const;

function missing(path: string, [expected, remedy]: readonly [string, string]): LocatedProblem {
  return {
    path,
    message: `expected ${expected}, because the server's file gives identities to roots, found nothing; ${remedy}`,
  };
}
