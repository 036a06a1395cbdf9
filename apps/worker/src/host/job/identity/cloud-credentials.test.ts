import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { credentialsOf, type JobOfIdentity } from './cloud-credentials.ts';

const FILES = { token: '/nereid/identity-token', google: '/nereid/google.json' };
const PROVIDER = 'projects/12/locations/global/workloadIdentityPools/nereid/providers/nereid';

function credentials(more: Partial<JobOfIdentity> = {}) {
  const job = { identity: { audience: 'a' }, phase: 'plan', variables: {}, job: { deploymentId: 'd1' } } as const;
  return credentialsOf({ ...job, files: FILES, ...more });
}

test('every program can find the token, and no cloud is told about it that nobody named', () => {
  expect(credentials()).toEqual({ env: { NEREID_IDENTITY_TOKEN_FILE: FILES.token }, hidden: new Set() });
});

test('the guide lists each variable that a job may get', () => {
  const guide = readFileSync(new URL('../../../../../docs/guides/identities.md', import.meta.url), 'utf8');
  const [, section = ''] = guide.split('## In the job');
  const [table = ''] = /\n\| Variable[\s\S]*?\n\n/.exec(section) ?? [];
  const cells = Array.from(table.matchAll(/^\| (`.*?`) +\|/gm), ([, cell = '']) => cell);
  const listed = cells.flatMap((cell) => Array.from(cell.matchAll(/`(\w+)`/g), ([, name = '']) => name));
  const identity = { audience: 'a', google: { provider: PROVIDER, serviceAccount: {} } };
  const { env } = credentials({ identity, variables: { AWS_ROLE_ARN: 'arn', ARM_CLIENT_ID: 'c' } });

  expect(listed.toSorted()).toEqual(Object.keys(env).toSorted());
});

describe('a job that is somebody', () => {
  test('on AWS trades its token for the role, whatever keys the worker has, and is seen by its deployment', () => {
    const { env, hidden } = credentials({ variables: { AWS_ROLE_ARN: 'arn:aws:iam::1:role/plan' } });

    expect(env).toMatchObject({ AWS_WEB_IDENTITY_TOKEN_FILE: FILES.token, AWS_ROLE_SESSION_NAME: 'd1' });
    expect([...hidden]).toEqual(expect.arrayContaining(['AWS_ACCESS_KEY_ID', 'AWS_SESSION_TOKEN', 'AWS_PROFILE']));
  });

  test('on Azure has its provider and its backend read the token', () => {
    const { env, hidden } = credentials({ variables: { ARM_CLIENT_ID: 'c', ARM_TENANT_ID: 't' } });

    expect(env).toMatchObject({ ARM_USE_OIDC: 'true', ARM_OIDC_TOKEN_FILE_PATH: FILES.token });
    expect([...hidden]).toEqual(expect.arrayContaining(['ARM_CLIENT_SECRET', 'ARM_USE_MSI']));
  });

  test('on Google has a file that says how to trade the token, and for which account of its phase', () => {
    const google = { provider: PROVIDER, serviceAccount: { apply: 'deploy@acme.iam.gserviceaccount.com' } };
    const identity = { audience: 'a', google };

    const { env, googleFile, hidden } = credentials({ identity, phase: 'apply' });

    expect(env).toMatchObject({ GOOGLE_APPLICATION_CREDENTIALS: FILES.google });
    expect(googleFile).toEqual({
      type: 'external_account',
      audience: `//iam.googleapis.com/${PROVIDER}`,
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      token_url: 'https://sts.googleapis.com/v1/token',
      credential_source: { file: FILES.token, format: { type: 'text' } },
      service_account_impersonation_url:
        'https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/deploy@acme.iam.gserviceaccount.com:generateAccessToken',
    });
    expect([...hidden]).toEqual(expect.arrayContaining(['GOOGLE_CREDENTIALS', 'GOOGLE_OAUTH_ACCESS_TOKEN']));
    expect(credentials({ identity }).googleFile).not.toHaveProperty('service_account_impersonation_url');
  });
});
