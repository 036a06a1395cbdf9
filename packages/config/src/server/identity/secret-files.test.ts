import { describe, expect, test } from '@jest/globals';
import { serverWith } from '../repository-policy/policy.fixture.ts';
import { hasOwnApplyIdentity } from './root-identity.ts';
import { secretFilesFor } from './secret-files.ts';

const FOLDER = 'terraform: { secrets_folder: /etc/root-secrets }';
const FILE = `
repositories:
  - match: acme/infra
    roots:
      prod/**:
        env_from: { preview: { DD_API_KEY: dd-read }, plan: { DD_API_KEY: dd-read }, apply: { DD_API_KEY: dd-write } }
      prod/dns: { env_from: { CLOUDFLARE_API_TOKEN: cloudflare } }
      dev: { env_from: { apply: { DD_API_KEY: dd-dev, NEWRELIC_API_KEY: newrelic } } }
  - match: acme/*
    env_from: { plan: { TF_VAR_pin: pin, DD_API_KEY: dd-none }, apply: { TF_VAR_pin: pin } }
${FOLDER}`;

const of = (name: string, ...dirs: string[]) => secretFilesFor(serverWith(FILE), 'acme/infra', { name, dirs });

describe('the secrets of a root', () => {
  test('are what the first rule or entry says, variable by variable and phase by phase', () => {
    expect(of('dns', 'prod/dns')).toEqual({
      preview: { DD_API_KEY: 'dd-read' },
      plan: { DD_API_KEY: 'dd-read', TF_VAR_pin: 'pin' },
      apply: { DD_API_KEY: 'dd-write', CLOUDFLARE_API_TOKEN: 'cloudflare', TF_VAR_pin: 'pin' },
    });
  });

  test('without a phase are for applies: code of a branch that nobody has merged runs in previews', () => {
    const server = serverWith(`repositories: [{ match: acme/*, env_from: { plan: plan-token } }]\n${FOLDER}`);

    expect(secretFilesFor(server, 'acme/infra', AT_TOP)).toEqual({
      preview: {},
      plan: {},
      apply: { plan: 'plan-token' },
    });
  });

  test('are not those of another directory or repository, whatever the root is called', () => {
    expect(of('prod/dns', 'other').apply).toEqual({ TF_VAR_pin: 'pin' });
    expect(secretFilesFor(serverWith(FILE), 'other/infra', AT_TOP)).toEqual({ preview: {}, plan: {}, apply: {} });
  });

  test('of a root behind a link are only what both of its directories have', () => {
    const common = { preview: {}, plan: { TF_VAR_pin: 'pin' }, apply: { TF_VAR_pin: 'pin' } };

    expect(of('dns', 'prod/dns', 'dev')).toEqual(common);
    expect(of('dns', 'dev', 'prod/dns')).toEqual(common);
  });
});

describe('an apply can be what its plan cannot', () => {
  const isAnother = (envFrom: string, planReview: 'required' | 'before_merge' = 'required') =>
    hasOwnApplyIdentity(serverWith(`repositories: [{ match: acme/*, env_from: ${envFrom} }]\n${FOLDER}`), 'acme/a', {
      ...AT_TOP,
      planReview,
    });

  test('with secrets of its own', () => {
    expect(isAnother('{ TOKEN: token }')).toBe(true);
    expect(isAnother('{ plan: { TOKEN: read }, apply: { TOKEN: write } }')).toBe(true);
  });

  test('but not with those of its plan', () => {
    expect(isAnother('{ plan: { TOKEN: token }, apply: { TOKEN: token } }')).toBe(false);
  });

  test('with secrets that no preview has, where the plan of a preview may be applied', () => {
    const ofMerged = 'plan: { TOKEN: token }, apply: { TOKEN: token }';

    expect(isAnother(`{ ${ofMerged} }`, 'before_merge')).toBe(true);
    expect(isAnother(`{ preview: { TOKEN: read }, ${ofMerged} }`, 'before_merge')).toBe(true);
    expect(isAnother(`{ preview: { TOKEN: token }, ${ofMerged} }`, 'before_merge')).toBe(false);
  });
});

const AT_TOP = { name: 'root', dirs: ['.'] };
