import { describe, expect, test } from '@jest/globals';
import { readServerConfig } from '../read-server-config.ts';

const STORAGE = 'storage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }';

/** Problems and warnings, each as `path: message`. */
function findingsOf(settings: string, match = 'prod/**'): readonly string[] {
  const read = readServerConfig(
    `repositories: [{ match: acme/*, roots: { "${match}": { ${settings} } } }]\n${STORAGE}`,
  );
  const findings = read.kind === 'invalid' ? read.problems : read.warnings;
  return findings.map(({ path, message }) => `${path}: ${message}`);
}

describe('a variable of a root', () => {
  test.each([['AWS_ROLE_ARN'], ['TF_VAR_stage'], ['TF_LOG'], ['ARM_CLIENT_ID'], ['GOOGLE_PROJECT'], ['http_proxy']])(
    'a variable of a root may be %s',
    (name) => {
      expect(findingsOf(`environment: { plan: { ${name}: x }, apply: { ${name}: "" } }`)).toEqual([]);
    },
  );

  test.each([
    ['PATH'],
    ['HOME'],
    ['TF_WORKSPACE'],
    ['TF_DATA_DIR'],
    ['TF_CLI_ARGS_apply'],
    ['NEREID_IDENTITY_TOKEN_FILE'],
    ['GIT_CONFIG_COUNT'],
    ['PLANFILE'],
  ])('is none of ours, like %s', (name) => {
    expect(findingsOf(`environment: { apply: { ${name}: x } }`)).toEqual([
      `repositories[0].roots."prod/**".environment.apply.${name}: expected a variable that is left to roots, found "${name}", which belongs to Nereid or Terraform; remove it`,
    ]);
  });

  test('is none that an identity sets, and what to do instead is said', () => {
    expect(findingsOf('environment: { plan: { AWS_WEB_IDENTITY_TOKEN_FILE: /t } }')).toEqual([
      expect.stringMatching(/expected a variable that an identity does not set, .*; remove it, and give the root an/),
    ]);
  });

  test.each([['LD_PRELOAD'], ['BASH_ENV'], ['A-B'], ['1A'], ['A'.repeat(101)]])(
    'has a name that nobody but a program reads: %s is none',
    (name) => {
      expect(findingsOf(`environment: { plan: { ${name}: x } }`)).toEqual([
        expect.stringContaining('expected the name of an environment variable, at most 100 characters, but none of'),
      ]);
    },
  );

  test('is a text of some length, and there are not too many', () => {
    const many = Array.from({ length: 101 }, (_, index) => `A${index}: x`).join(', ');

    expect(findingsOf('environment: { plan: { A: 3 } }')).toEqual([
      expect.stringContaining('expected a text (a number in quotes), found 3'),
    ]);
    expect(findingsOf(`environment: { plan: { A: "${'x'.repeat(4097)}" } }`)).toEqual([
      expect.stringContaining('expected at most 4096 characters'),
    ]);
    expect(findingsOf(`environment: { plan: { ${many} } }`)).toEqual([
      expect.stringContaining('expected at most 100 variables'),
    ]);
  });

  test('that looks like a secret is warned of', () => {
    expect(findingsOf('environment: { apply: { AWS_SECRET_ACCESS_KEY: x } }')).toEqual([
      expect.stringMatching(/expected a value that is not a secret, .* by env_allow_plan or env_allow_apply/),
    ]);
  });
});

describe('an identity', () => {
  test.each([
    ['has an audience', 'identity: {}', 'audience: expected the audience that the cloud expects'],
    ['has an audience of one word', 'identity: { audience: "a b" }', 'audience: expected the audience'],
    ['has one audience', 'identity: { audience: [a, b] }', 'audience: expected the audience'],
    [
      'names a provider of Google by its whole name',
      'identity: { audience: a, google: { provider: nereid } }',
      'provider: expected a provider, like projects/123/',
    ],
    [
      'names a service account by its address',
      `identity: { audience: a, google: { provider: projects/1/locations/global/workloadIdentityPools/pool/providers/prov, service_account: { plan: nereid } } }`,
      'service_account.plan: expected the address of a service account',
    ],
  ])('an identity %s', (_what, settings, message) => {
    expect(findingsOf(settings)).toEqual([expect.stringContaining(message)]);
  });

  test('is not taken by a name, which a repository chooses itself', () => {
    expect(findingsOf('identity: { audience: a }', 'name:prod-*')).toEqual([
      expect.stringContaining('so it could take this identity; match the directory'),
    ]);
  });
});
