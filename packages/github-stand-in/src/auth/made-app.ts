/** The App that a person made takes the place of the one before: with its own key, secrets, permissions and events, installed nowhere yet. */
import { randomBytes, randomInt } from 'node:crypto';
import { accountJson } from '../json/account-json.ts';
import { nodeId, type Json } from '../json/json.ts';
import { ensureAccount } from '../state/accounts.ts';
import { NOT_INSTALLED } from '../state/model.ts';
import type { World } from '../world.ts';
import { readPublicKey } from './app-jwt.ts';
import type { AskedApp } from './app-manifest.ts';
import { makeAppKey } from './app-key.ts';

interface Secrets {
  readonly clientSecret: string;
  readonly webhookSecret: string;
  /** PEM. */
  readonly privateKey: string;
}

/** Returns the answer that its code gives once, with all secrets. */
export function makeApp(world: World, asked: AskedApp, name: string): Json {
  const secrets = makeSecrets();
  becomeApp(world, asked, name, secrets);
  const { manifest, owner } = asked;
  const { id, slug, clientId, url, events } = world.app;
  const at = new Date().toISOString();
  return {
    ...{ id, slug, node_id: nodeId('Integration', id), owner: accountJson(world, owner), name },
    ...{ description: manifest.description ?? '', external_url: manifest.url, html_url: url },
    ...{ created_at: at, updated_at: at, permissions: manifest.default_permissions ?? {}, events },
    ...{ client_id: clientId, client_secret: secrets.clientSecret },
    ...{ webhook_secret: secrets.webhookSecret, pem: secrets.privateKey },
  };
}

function becomeApp(world: World, { manifest, owner }: AskedApp, name: string, secrets: Secrets): void {
  const { hook_attributes: hook, callback_urls: callbacks = [] } = manifest;
  const id = randomInt(100_000, 10_000_000);
  const slug = slugOf(name);
  const clientId = `Iv23li${randomBytes(7).toString('hex')}`;
  const bot = `${slug}[bot]`;
  ensureAccount(world.store, bot, 'Bot');
  world.app = {
    ...{ id, slug, clientId, owner, bot, url: `${world.url}/apps/${slug}` },
    // GitHub adds it to every App.
    permissions: { ...manifest.default_permissions, metadata: 'read' },
    events: manifest.default_events ?? [],
    publicKey: readPublicKey(secrets.privateKey),
  };
  world.oauth = { clientId, clientSecret: secrets.clientSecret, redirectUri: callbacks[0] ?? '' };
  world.webhooks.aim({ url: hook.url, secret: secrets.webhookSecret, appId: id });
  leaveAccounts(world);
}

/** What the App before was given is none of the new one's. */
function leaveAccounts({ store }: World): void {
  store.state.installations = [];
  store.state.tokens = store.state.tokens.filter(({ holder }) => holder.kind === 'person');
  for (const repository of store.state.repositories) repository.installationId = NOT_INSTALLED;
  store.changed();
}

function makeSecrets(): Secrets {
  const { privateKey } = makeAppKey();
  const [clientSecret = '', webhookSecret = ''] = [20, 20].map((bytes) => randomBytes(bytes).toString('hex'));
  return { clientSecret, webhookSecret, privateKey };
}

function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
