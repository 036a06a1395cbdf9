import { describe, expect, test } from '@jest/globals';
import { serverWith } from '../repository-policy/policy.fixture.ts';
import { hasOwnApplyIdentity, identityFor } from './root-identity.ts';

const FILE = `
repositories:
  - match: acme/infra
    roots:
      prod/**:
        environment: { plan: { AWS_ROLE_ARN: arn:plan }, apply: { AWS_ROLE_ARN: arn:deploy, TF_LOG: info } }
        identity: { audience: nereid-prod }
      '**': { environment: { plan: { AWS_ROLE_ARN: arn:dev, STAGE: dev } } }
  - match: acme/*
    environment: { plan: { AWS_REGION: eu-central-1 }, apply: { AWS_REGION: eu-central-1, AWS_ROLE_ARN: arn:none } }
    identity: { audience: nereid }`;

const AT_TOP = { name: 'root', dirs: ['.'] };

const of = (name: string, ...dirs: string[]) => identityFor(serverWith(FILE), 'acme/infra', { name, dirs });

describe('what a root is to clouds', () => {
  test('is what the first rule or entry says, variable by variable, and apart for its plans and its applies', () => {
    expect(of('network', 'prod/network')).toEqual({
      environment: {
        plan: { AWS_ROLE_ARN: 'arn:plan', STAGE: 'dev', AWS_REGION: 'eu-central-1' },
        apply: { AWS_ROLE_ARN: 'arn:deploy', TF_LOG: 'info', AWS_REGION: 'eu-central-1' },
      },
      identity: { audience: 'nereid-prod' },
    });
  });

  test('is not what a rule for another directory says, whatever the root is called', () => {
    expect(of('prod', 'dev')).toMatchObject({
      environment: { plan: { AWS_ROLE_ARN: 'arn:dev' }, apply: { AWS_ROLE_ARN: 'arn:none' } },
      identity: { audience: 'nereid' },
    });
  });

  test('is nothing where nobody says anything', () => {
    const nothing = { environment: { plan: {}, apply: {} } };

    expect(identityFor(serverWith('repositories: [{ match: acme/* }]'), 'acme/infra', AT_TOP)).toEqual(nothing);
    expect(identityFor(serverWith(FILE), 'other/infra', AT_TOP)).toEqual(nothing);
  });

  test('of a root behind a link is only what both of its directories have', () => {
    const both = {
      environment: { plan: { STAGE: 'dev', AWS_REGION: 'eu-central-1' }, apply: { AWS_REGION: 'eu-central-1' } },
    };

    expect(of('network', 'prod/network', 'dev/network')).toEqual(both);
    expect(of('network', 'dev/network', 'prod/network')).toEqual(both);
    expect(of('network', 'prod/a', 'prod/b')).toMatchObject({ identity: { audience: 'nereid-prod' } });
  });

  test('has the service account of Google for each of the two', () => {
    const provider = 'projects/12/locations/global/workloadIdentityPools/nereid/providers/nereid';
    const account = 'deploy@acme.iam.gserviceaccount.com';
    const google = `{ provider: ${provider}, service_account: { apply: ${account} } }`;
    const server = serverWith(`repositories: [{ match: acme/*, identity: { audience: a, google: ${google} } }]`);

    expect(identityFor(server, 'acme/infra', AT_TOP).identity).toEqual({
      audience: 'a',
      google: { provider, serviceAccount: { apply: account } },
    });
  });
});

describe('an apply can be what its plan cannot', () => {
  test.each([
    ['with an identity', 'identity: { audience: a }', ''],
    ['with variables of its own', 'environment: { apply: { A: b } }', ''],
    ['with variables of the worker', 'queue: every', 'terraform: { env_allow_apply: [A] }'],
  ])('an apply can be what its plan cannot %s', (_how, settings, rest) => {
    const server = serverWith(`repositories: [{ match: acme/*, ${settings} }]\n${rest}`);

    expect(hasOwnApplyIdentity(server, 'acme/infra', AT_TOP)).toBe(true);
  });

  test('but not where both have the same', () => {
    const settings = 'environment: { plan: { A: b, C: d }, apply: { C: d, A: b } }';
    const server = serverWith(`repositories: [{ match: acme/*, ${settings} }]\nterraform: { env_allow: [A] }`);

    expect(hasOwnApplyIdentity(server, 'acme/infra', AT_TOP)).toBe(false);
  });
});

describe('an apply of a plan that was confirmed before the merge can be what its preview cannot', () => {
  const confirmed = { ...AT_TOP, planReview: 'before_merge' } as const;
  const inWorker = (terraform: string) => serverWith(`repositories: [{ match: acme/* }]\nterraform: { ${terraform} }`);

  test.each([
    ['with variables of the worker', 'env_allow: [A]'],
    ['with fewer variables of the worker', 'env_allow_preview: [A]'],
  ])('%s', (_how, terraform) => {
    expect(hasOwnApplyIdentity(inWorker(terraform), 'acme/infra', confirmed)).toBe(true);
    const reviewedLater = { ...AT_TOP, planReview: 'required' } as const;
    expect(hasOwnApplyIdentity(inWorker(terraform), 'acme/infra', reviewedLater)).toBe(false);
  });

  test('but not where previews have the same variables of the worker, in any order', () => {
    const server = inWorker('env_allow: [A, B], env_allow_preview: [B, A]');

    expect(hasOwnApplyIdentity(server, 'acme/infra', confirmed)).toBe(false);
  });
});
