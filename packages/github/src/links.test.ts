import { describe, expect, test } from '@jest/globals';
import { checkRunUrl, commitUrl, deploymentUrl, parseLaneName, verifyLinkKey, workflowUrl } from './links.ts';

const LANE = { owner: 'acme', name: 'infra', rootName: 'network' };

describe('the link to a deployment', () => {
  test('names the lane and carries the key', () => {
    const url = new URL(deploymentUrl('https://console.example/nereid', 'secret', '3f2a', LANE));

    expect(url.pathname).toBe('/nereid/deployments/3f2a');
    expect(url.searchParams.get('lane')).toBe('acme/infra/network');
    expect(url.searchParams.get('key')).toMatch(/^[0-9a-f]{32}$/);
  });

  test('opens this deployment and no other, with this secret and no other', () => {
    const key = new URL(deploymentUrl('https://c.example', 'secret', '3f2a', LANE)).searchParams.get('key') ?? '';

    expect(verifyLinkKey('secret', '3f2a', key)).toBe(true);
    expect(verifyLinkKey('secret', '3f2b', key)).toBe(false);
    expect(verifyLinkKey('other', '3f2a', key)).toBe(false);
    expect(verifyLinkKey('secret', '3f2a', key.slice(1))).toBe(false);
    expect(verifyLinkKey('secret', '3f2a', '')).toBe(false);
  });

  test('carries no key where people log in', () => {
    expect(deploymentUrl('https://c.example', undefined, '3f2a', LANE)).not.toContain('key=');
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
  expect(commitUrl('https://ghe.example/', LANE, 'abc')).toBe('https://ghe.example/acme/infra/commit/abc');
  expect(checkRunUrl('https://ghe.example', LANE, 7)).toBe('https://ghe.example/acme/infra/runs/7');
  expect(workflowUrl('https://t.example/ui', 'default', 'acme/infra||network')).toBe(
    'https://t.example/ui/namespaces/default/workflows/acme%2Finfra%7C%7Cnetwork',
  );
});
