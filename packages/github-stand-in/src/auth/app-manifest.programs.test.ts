import { createPrivateKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aGitHub, type AGitHub } from '../fixtures/a-github.ts';

const MANIFEST = {
  name: 'Deploys things',
  url: 'https://deploys.example.org',
  hook_attributes: { url: 'https://hooks.example.org/events' },
  redirect_url: 'http://127.0.0.1:4000/callback',
  default_permissions: { checks: 'write', contents: 'read' },
  default_events: ['push'],
};

let world: AGitHub;
beforeAll(async () => {
  world = await aGitHub();
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

describe('an App is made from a manifest', () => {
  test('by a person who agrees, and goes back with a code that gives it once', async () => {
    const back = await agreeTo(await offer('/organizations/acme/settings/apps/new?state=abc', MANIFEST));

    const converted = await convert(back.searchParams.get('code') ?? '');
    const again = await convert(back.searchParams.get('code') ?? '');

    expect([back.origin + back.pathname, back.searchParams.get('state')]).toEqual([MANIFEST.redirect_url, 'abc']);
    expect(converted).toMatchObject({
      status: 201,
      body: {
        ...{ slug: 'deploys-things', name: 'Deploys things', owner: { login: 'acme', type: 'Organization' } },
        ...{ permissions: MANIFEST.default_permissions, events: ['push'] },
        client_secret: expect.stringMatching(/^[0-9a-f]{40}$/),
        webhook_secret: expect.stringMatching(/^[0-9a-f]{40}$/),
        pem: expect.stringMatching(/^-----BEGIN RSA PRIVATE KEY-----\n/),
      },
    });
    expect(createPrivateKey((converted.body as { pem: string }).pem).asymmetricKeyType).toBe('rsa');
    expect(again.status).toBe(404);
  });

  test('for the person who looks, unless an organisation is named', async () => {
    const back = await agreeTo(await offer('/settings/apps/new', MANIFEST));

    const { body } = await convert(back.searchParams.get('code') ?? '');

    expect([back.searchParams.has('state'), body]).toEqual([
      false,
      expect.objectContaining({ name: 'Deploys things' }),
    ]);
    expect(body).toMatchObject({ owner: { login: 'ada' } });
  });

  test('and takes the place of the App before: with its own key and permissions, wherever a person installs it', async () => {
    const back = await agreeTo(await offer('/organizations/acme/settings/apps/new', MANIFEST));
    const { id, pem } = (await convert(back.searchParams.get('code') ?? '')).body as { id: number; pem: string };
    const key = createPrivateKey(pem).export({ type: 'pkcs8', format: 'pem' }).toString();
    const jwt = () => world.appJwt({ issuer: String(id), key });
    const statusWith = async (token: string) => (await world.api('GET', '/app', undefined, { token })).status;

    expect([await statusWith(await world.appJwt()), await statusWith(await jwt())]).toEqual([401, 200]);
    const none = await world.api('GET', '/app/installations', undefined, { token: await jwt() });
    expect(none.body).toEqual([]);

    const installed = await post('/apps/deploys-things/installations/new', {});

    expect(installed.status).toBe(303);
    const { body } = await world.api('GET', '/app/installations', undefined, { token: await jwt() });
    const [installation] = body as { id: number; permissions: object; events: readonly string[] }[];
    expect(installation).toMatchObject({
      permissions: { ...MANIFEST.default_permissions, metadata: 'read' },
      events: ['push'],
    });
    const tokens = `/app/installations/${installation?.id ?? 0}/access_tokens`;
    const asked = { permissions: { issues: 'read' } };
    const refused = await world.api('POST', tokens, asked, { token: await jwt() });
    expect(refused.status).toBe(422);
  });

  test('and for a page of another site, whose browser it lets back to it', async () => {
    const response = await post(
      '/settings/apps/new',
      { manifest: JSON.stringify(MANIFEST) },
      'https://tools.example.org',
    );

    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toContain("form-action http://127.0.0.1:4000 'self'");
  });
});

test('the GitHub of the demo keeps its App, and says so', async () => {
  await using demo = await aGitHub({ keepsApp: true });
  const body = new URLSearchParams({ manifest: JSON.stringify(MANIFEST) });
  const response = await fetch(`${demo.github.url}/organizations/acme/settings/apps/new`, { method: 'POST', body });

  expect([response.status, await response.text()]).toEqual([
    409,
    expect.stringContaining('This GitHub belongs to the demo, which has its App already'),
  ]);
  expect((await demo.api('GET', '/app', undefined, { token: await demo.appJwt() })).status).toBe(200);
});

test.each([
  ['no JSON', 'no', 'the manifest is not JSON'],
  ['no place for webhooks', { ...MANIFEST, hook_attributes: undefined }, 'hook_attributes'],
  [
    'a permission that there is not',
    { ...MANIFEST, default_permissions: { checking: 'write' } },
    'additional properties',
  ],
  ['a level that there is not', { ...MANIFEST, default_permissions: { contents: 'all' } }, 'allowed values'],
  ['an event without its permission', { ...MANIFEST, default_events: ['merge_group'] }, 'not supported by permissions'],
  ['a name that is too long', { ...MANIFEST, name: 'n'.repeat(35) }, '34 characters'],
])('a manifest with %s is refused', async (_what, manifest, reason) => {
  const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest);

  const response = await post('/settings/apps/new', { manifest: text });

  expect([response.status, await response.text()]).toEqual([422, expect.stringContaining(reason)]);
  expect(world.github.refusedRequests().at(-1)).toMatchObject({ kind: 'invalid', path: '/settings/apps/new' });
});

/** Returns the token of the page that offers the App. */
async function offer(path: string, manifest: object): Promise<string> {
  const page = await (await post(path, { manifest: JSON.stringify(manifest) })).text();
  return / name="token" value="([0-9a-f]+)"/.exec(page)?.[1] ?? '';
}

async function agreeTo(token: string): Promise<URL> {
  const response = await post('/settings/apps/manifest', { token, name: MANIFEST.name });
  return new URL(response.headers.get('location') ?? '');
}

function post(path: string, fields: Readonly<Record<string, string>>, origin?: string): Promise<Response> {
  return fetch(world.github.url + path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
    headers: origin === undefined ? {} : { origin },
  });
}

async function convert(code: string): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(`${world.github.apiUrl}/app-manifests/${code}/conversions`, { method: 'POST' });
  return { status: response.status, body: await response.json() };
}
