import { describe, expect, test } from '@jest/globals';
import {
  deploymentPageSubject,
  parseLaneName,
  parsePullRequestName,
  pullRequestPageSubject,
} from '@nereid/domain/console';
import { deploymentUrl, pullRequestPageUrl, verifyLinkKey, workflowUrl } from './page-links.ts';

const LANE = { owner: 'acme', name: 'infra', rootName: 'network' };
const SUBJECT = deploymentPageSubject('3f2a', LANE);

describe('the link to a deployment', () => {
  const FROM = '2026-01-31T14:00:00.000Z';
  const NOW = Date.parse(FROM);
  const DAY_MS = 86_400_000;
  const key =
    new URL(deploymentUrl('https://c.example', { secret: 'new', from: FROM }, '3f2a', LANE)).searchParams.get('key') ??
    '';

  test('names the lane and carries the key', () => {
    const url = new URL(deploymentUrl('https://console.example/nereid', { secret: 'new', from: FROM }, '3f2a', LANE));

    expect(url.pathname).toBe('/nereid/deployments/3f2a');
    expect(url.searchParams.get('lane')).toBe('acme/infra/network');
    expect(url.searchParams.get('key')).toMatch(/^\d{5}-[0-9a-f]{32}$/);
  });

  test('opens this deployment and no other, with this secret and no other', () => {
    expect(verifyLinkKey(['new'], SUBJECT, key, NOW)).toBe(true);
    expect(verifyLinkKey(['new'], deploymentPageSubject('3f2b', LANE), key, NOW)).toBe(false);
    expect(verifyLinkKey(['other'], SUBJECT, key, NOW)).toBe(false);
    expect(verifyLinkKey(['new'], SUBJECT, key.slice(1), NOW)).toBe(false);
    expect(verifyLinkKey(['new'], SUBJECT, '', NOW)).toBe(false);
  });

  test('opens no deployment of another lane, although it names one', () => {
    for (const lane of [
      { ...LANE, rootName: 'dns' },
      { ...LANE, name: 'secrets' },
    ])
      expect(verifyLinkKey(['new'], deploymentPageSubject('3f2a', lane), key, NOW)).toBe(false);
  });

  test('goes on to work while its secret is an older one', () => {
    expect(verifyLinkKey(['newer', 'new'], SUBJECT, key, NOW)).toBe(true);
  });

  test('works for 90 days, and nobody can make them more', () => {
    expect(verifyLinkKey(['new'], SUBJECT, key, NOW + 90 * DAY_MS)).toBe(true);
    expect(verifyLinkKey(['new'], SUBJECT, key, NOW + 91 * DAY_MS)).toBe(false);
    expect(verifyLinkKey(['new'], SUBJECT, key.replace(/^\d+/, '99999'), NOW)).toBe(false);
  });

  test('lives no longer for a time that is still to come', () => {
    const soon = { secret: 'new', from: '2999-01-01T00:00:00.000Z' };
    const later = new URL(deploymentUrl('https://c.example', soon, '3f2a', LANE)).searchParams.get('key') ?? '';

    expect(verifyLinkKey(['new'], SUBJECT, later, Date.now())).toBe(true);
    expect(verifyLinkKey(['new'], SUBJECT, later, Date.now() + 91 * DAY_MS)).toBe(false);
  });

  test('carries no key where it is given none', () => {
    expect(deploymentUrl('https://c.example', undefined, '3f2a', LANE)).not.toContain('key=');
  });
});

describe('the link to the plans of a pull request', () => {
  const PULL = { owner: 'acme', name: 'infra', number: 12 };
  const FROM = '2026-01-31T14:00:00.000Z';
  const url = new URL(pullRequestPageUrl('https://c.example/nereid', { secret: 'new', from: FROM }, PULL));
  const key = url.searchParams.get('key') ?? '';
  const opens = (subject: string) => verifyLinkKey(['new'], subject, key, Date.parse(FROM));

  test('opens them and nothing else', () => {
    expect(url.pathname).toBe('/nereid/pulls/acme/infra/12');
    expect(opens(pullRequestPageSubject(PULL))).toBe(true);
    expect(opens(pullRequestPageSubject({ ...PULL, number: 13 }))).toBe(false);
    expect(opens('3f2a')).toBe(false);
  });

  test('is read as it was written', () => {
    expect(parsePullRequestName('acme', 'infra', '12')).toEqual(PULL);
  });

  test.each([
    ['..', 'infra', '12'],
    ['acme', '<script>', '12'],
    ['acme', 'infra', '0'],
    ['acme', 'infra', '1e3'],
    ['acme', 'infra', ' 12'],
    ['acme', 'infra', undefined],
  ])('the parts %j, %j, %j are no link to plans', (owner, name, number) => {
    expect(parsePullRequestName(owner, name, number)).toBeUndefined();
  });
});

test.each(['acme/infra', 'acme/infra/../x', 'acme/infra/..', 'a/b/c/d', '', 'acme/infra/<b>'])(
  '%j is no lane',
  (lane) => {
    expect(parseLaneName(lane)).toBeUndefined();
  },
);

test('a lane is read as it was written', () => {
  expect(parseLaneName('acme/infra/prod-eu.1')).toEqual({ owner: 'acme', name: 'infra', rootName: 'prod-eu.1' });
});

test('addresses keep the path under which a service is served', () => {
  expect(workflowUrl('https://t.example/ui', 'default', 'acme/infra||network')).toBe(
    'https://t.example/ui/namespaces/default/workflows/acme%2Finfra%7C%7Cnetwork',
  );
});
