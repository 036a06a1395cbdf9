import type { KeyObject } from 'node:crypto';
import { env, readEnv, type EnvironmentRecord, type LocatedProblem, type ValuesOf } from '@nereid/config';

/** The facts about tokens of jobs that clouds are told. */
export interface IssuerConfig {
  /** Without a trailing slash. */
  readonly url: string;
  /** RSA; while keys rotate, there are several. */
  readonly publicKeys: readonly KeyObject[];
}

export const ISSUER_VARIABLES = {
  issuer: env.issuer('IDENTITY_ISSUER'),
  identityPublicKeys: env.identityPublicKeys('IDENTITY_PUBLIC_KEY'),
};

/** Undefined where the gateway is not to publish them. */
export function issuerConfigOf({
  issuer: url,
  identityPublicKeys: publicKeys,
}: ValuesOf<typeof ISSUER_VARIABLES>): IssuerConfig | undefined {
  return url === undefined || publicKeys === undefined ? undefined : { url, publicKeys };
}

/** Reports nothing when one of the variables is invalid itself, because that is reported already. */
export function issuerProblems(record: EnvironmentRecord): readonly LocatedProblem[] {
  const read = readEnv(record, ISSUER_VARIABLES);
  if (read.kind === 'invalid' || read.values.issuer === undefined || read.values.identityPublicKeys) return [];
  const message =
    'expected the public half of IDENTITY_KEY, in IDENTITY_PUBLIC_KEY or in the file named by IDENTITY_PUBLIC_KEY_FILE, because IDENTITY_ISSUER is set, found nothing; make all keys with: nereid keys FOLDER';
  return [{ path: 'IDENTITY_PUBLIC_KEY', message }];
}
