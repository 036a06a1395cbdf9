/**
 * The files of pages: scripts and styles. Their address has a digest of all of them, so a browser keeps them for good, and a page
 * of another release has others.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { Router } from 'express';

interface Assets {
  /** Twelve hex digits. */
  readonly version: string;
  readonly names: readonly string[];
}

const FOLDER = fileURLToPath(new URL('../../assets', import.meta.url));

/** The script of every page; it imports the others. */
const ENTRY = 'console.js';

let read: Assets | undefined;

/** They are read once. */
function assets(): Assets {
  read ??= readAssets();
  return read;
}

function readAssets(): Assets {
  const names = readdirSync(FOLDER).sort();
  const digest = createHash('sha256');
  for (const name of names) digest.update(`${name}\n`).update(readFileSync(join(FOLDER, name)));
  return { version: digest.digest('hex').slice(0, 12), names };
}

/** From the console's top. Scripts import each other by relative addresses, so the digest covers a folder. */
export function assetPath(name: string): string {
  return `assets/${assets().version}/${name}`;
}

export function entryScript(): string {
  return assetPath(ENTRY);
}

/** The imports of a page's script: a browser that knows them loads them all at once, instead of one after the other. */
export function importedScripts(): readonly string[] {
  return assets()
    .names.filter((name) => name.endsWith('.js') && name !== ENTRY)
    .map(assetPath);
}

const IMMUTABLE = 'public, max-age=31536000, immutable';

export function assetRoutes(): Router {
  const router = Router();
  const options = { index: false, redirect: false, cacheControl: false } as const;
  const setHeaders = (response: { setHeader(name: string, value: string): unknown }) =>
    response.setHeader('cache-control', IMMUTABLE);
  router.use(`/assets/${assets().version}`, express.static(FOLDER, { ...options, setHeaders }));
  // While a release is rolled out, a page of the other one may ask here: what it gets is nothing to keep.
  for (const folder of ['/assets/:version', '/assets']) router.use(folder, express.static(FOLDER, options));
  return router;
}
