/** Apps that people make from a manifest: they agree on a page, take a code back, and the program trades it for the App. */
import { randomBytes } from 'node:crypto';
import { PERMISSION_OF_EVENT } from '../contract/manifest-schema.ts';
import type { Json } from '../json/json.ts';
import type { Permissions } from '../state/model.ts';
import type { World } from '../world.ts';
import { makeApp } from './made-app.ts';

/** As a program sends it, after it was checked. */
export interface AppManifest {
  readonly name?: string;
  readonly url: string;
  readonly hook_attributes: { readonly url: string; readonly active?: boolean };
  readonly redirect_url: string;
  readonly callback_urls?: readonly string[];
  readonly description?: string;
  readonly default_events?: readonly string[];
  /** By the schema, levels are `read`, `write` or `admin`. */
  readonly default_permissions?: Permissions;
}

/** What a program asks for, until a person agrees. */
export interface AskedApp {
  readonly manifest: AppManifest;
  /** The login of the account that the App is to belong to. */
  readonly owner: string;
  /** As the program sent it; it comes back with the code. */
  readonly state: string;
}

interface Code {
  readonly app: Json;
  readonly expiresAt: number;
}

/** GitHub's guide: all steps within one hour. */
const LIFE_MS = 3_600_000;

interface Manifests {
  readonly asked: Map<string, AskedApp>;
  readonly codes: Map<string, Code>;
}

/** They need not survive a restart. */
const manifests = new WeakMap<World, Manifests>();

type ReadManifest =
  | { readonly kind: 'ok'; readonly manifest: AppManifest }
  | { readonly kind: 'invalid'; readonly reasons: readonly string[] };

export function readManifest({ contract }: World, text: string): ReadManifest {
  const manifest = parsed(text);
  if (manifest === undefined) return { kind: 'invalid', reasons: ['the manifest is not JSON'] };
  const problems = contract.checkManifest(manifest);
  if (problems.length > 0)
    return { kind: 'invalid', reasons: problems.map(({ field, message }) => `${field} ${message}`) };
  const checked = manifest as AppManifest; // The schema says so.
  const { default_permissions: permissions = {}, default_events: events = [] } = checked;
  const deaf = events.filter((event) => permissions[PERMISSION_OF_EVENT[event] ?? ''] === undefined);
  if (deaf.length === 0) return { kind: 'ok', manifest: checked };
  return { kind: 'invalid', reasons: deaf.map((event) => `Default events are not supported by permissions: ${event}`) };
}

/** Returns the name under which the page sends the person's answer. */
export function keepAsked(world: World, asked: AskedApp): string {
  const token = randomBytes(16).toString('hex');
  manifestsOf(world).asked.set(token, asked);
  return token;
}

/** Makes the App, which takes the place of the one before. Returns the address to which the person goes back; undefined when nobody asked for it, or it was made already. */
export function agreeToApp(world: World, token: string, name: string): string | undefined {
  const { asked, codes } = manifestsOf(world);
  const found = asked.get(token);
  asked.delete(token);
  if (found === undefined) return undefined;
  const code = randomBytes(20).toString('hex');
  codes.set(code, { app: makeApp(world, found, name), expiresAt: Date.now() + LIFE_MS });
  const back = new URL(found.manifest.redirect_url);
  back.searchParams.set('code', code);
  if (found.state !== '') back.searchParams.set('state', found.state);
  return back.href;
}

/** The App with its secrets. A code counts once. */
export function redeemManifestCode(world: World, text: string): Json | undefined {
  const { codes } = manifestsOf(world);
  const code = codes.get(text);
  codes.delete(text);
  return code && code.expiresAt > Date.now() ? code.app : undefined;
}

function manifestsOf(world: World): Manifests {
  const found = manifests.get(world) ?? { asked: new Map(), codes: new Map() };
  manifests.set(world, found);
  return found;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
