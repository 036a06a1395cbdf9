/** How AWS, Google and Azure are told where the token of a job is: by variables that their SDKs and providers read. Pure. */
import type { IdentitySettings } from '@nereid/config';
import type { Phase } from '@nereid/domain/tokens';
import type { OpenedJob } from '../../../platform/tokens/opened-job.ts';

/** The paths, as the commands of the job see them. */
export interface TokenFiles {
  readonly token: string;
  /** What Google's libraries read in place of a key. */
  readonly google: string;
}

export interface JobOfIdentity {
  readonly identity: IdentitySettings;
  readonly phase: Phase;
  /** Those of the server's file for this root and phase. */
  readonly variables: Readonly<Record<string, string>>;
  readonly job: Pick<OpenedJob, 'deploymentId'>;
  readonly files: TokenFiles;
}

export interface CloudCredentials {
  readonly env: Readonly<Record<string, string>>;
  /** Variables with which the worker's own credentials would be used in place of the token. */
  readonly hidden: ReadonlySet<string>;
  /** The contents of `files.google`. */
  readonly googleFile?: object;
}

/** A cloud is told about the token where the server's file says who to be there. */
export function credentialsOf({ identity, phase, variables, job, files }: JobOfIdentity): CloudCredentials {
  const isOn = (name: string) => variables[name] !== undefined;
  const { google } = identity;
  return {
    env: {
      NEREID_IDENTITY_TOKEN_FILE: files.token,
      ...(isOn('AWS_ROLE_ARN') && {
        AWS_WEB_IDENTITY_TOKEN_FILE: files.token,
        // Seen in CloudTrail.
        AWS_ROLE_SESSION_NAME: job.deploymentId,
      }),
      ...(isOn('ARM_CLIENT_ID') && { ARM_USE_OIDC: 'true', ARM_OIDC_TOKEN_FILE_PATH: files.token }),
      ...(google && { GOOGLE_APPLICATION_CREDENTIALS: files.google }),
    },
    hidden: new Set([
      ...(isOn('AWS_ROLE_ARN') ? KEYS.aws : []),
      ...(isOn('ARM_CLIENT_ID') ? KEYS.azure : []),
      ...(google ? KEYS.google : []),
    ]),
    ...(google && { googleFile: externalAccount(google, phase, files.token) }),
  };
}

/** What SDKs and providers try before a token. */
const KEYS = {
  aws: [
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'AWS_PROFILE',
    'AWS_DEFAULT_PROFILE',
    'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
    'AWS_CONTAINER_CREDENTIALS_FULL_URI',
    'AWS_CONTAINER_AUTHORIZATION_TOKEN',
    'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE',
  ],
  azure: [
    'ARM_CLIENT_SECRET',
    'ARM_CLIENT_SECRET_FILE_PATH',
    'ARM_CLIENT_CERTIFICATE',
    'ARM_CLIENT_CERTIFICATE_PASSWORD',
    'ARM_CLIENT_CERTIFICATE_PATH',
    'ARM_OIDC_TOKEN',
    'ARM_OIDC_REQUEST_TOKEN',
    'ARM_OIDC_REQUEST_URL',
    'ARM_USE_MSI',
  ],
  google: [
    'GOOGLE_CREDENTIALS',
    'GOOGLE_CLOUD_KEYFILE_JSON',
    'GCLOUD_KEYFILE_JSON',
    'GOOGLE_OAUTH_ACCESS_TOKEN',
    'GOOGLE_BACKEND_CREDENTIALS',
  ],
} as const;

/** The configuration of an external account, as Google's libraries define it. It holds no secret. */
function externalAccount(
  { provider, serviceAccount }: NonNullable<IdentitySettings['google']>,
  phase: Phase,
  tokenFile: string,
): object {
  const account = serviceAccount[phase];
  return {
    type: 'external_account',
    audience: `//iam.googleapis.com/${provider}`,
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: 'https://sts.googleapis.com/v1/token',
    credential_source: { file: tokenFile, format: { type: 'text' } },
    ...(account !== undefined && {
      service_account_impersonation_url: `https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/${account}:generateAccessToken`,
    }),
  };
}
