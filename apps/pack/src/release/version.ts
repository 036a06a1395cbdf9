/** The one version of everything here: raises it once it is released, and writes down what has changed. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { parseDocument } from 'yaml';
import { CHANGELOG, withChanges } from './changelog.ts';
import { readChanges, removeChanges } from './changes.ts';

const run = promisify(execFile);

export interface Raised {
  readonly version: string;
  /** How many changes went into the changelog. */
  readonly changes: number;
}

/**
 * A version without a tag is not released: its changes join those that its section has. Otherwise changesets raises it, in all
 * workspaces at once.
 */
export async function raiseVersion(top: string): Promise<Raised> {
  const changes = await readChanges(top);
  if (changes.length === 0)
    throw new Error('expected a change in .changeset, found none: `npm run changeset` makes one');
  if (await isTagged(top, await versionOf(top))) await raise(top);
  const version = await versionOf(top);
  const file = path.join(top, CHANGELOG);
  await writeFile(file, withChanges(await readFile(file, 'utf8').catch(() => ''), version, changes));
  await removeChanges(top, await readChanges(top));
  return { version, changes: changes.length };
}

/** Of the root, which `make pack` and the images have, too. */
export async function versionOf(top: string): Promise<string> {
  const { version } = JSON.parse(await readFile(path.join(top, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  return version;
}

async function isTagged(top: string, version: string): Promise<boolean> {
  const { stdout } = await run('git', ['tag', '--list', `v${version}`], { cwd: top });
  return stdout.trim() !== '';
}

/** Changesets leaves the root of the workspaces, the lock file and the chart alone. */
async function raise(top: string): Promise<void> {
  await run(process.execPath, [path.join(top, 'node_modules/@changesets/cli/bin.js'), 'version'], { cwd: top });
  const manifest = JSON.parse(await readFile(path.join(top, 'apps/cli/package.json'), 'utf8')) as {
    readonly version: string;
  };
  await edit(path.join(top, 'package.json'), (text) =>
    text.replace(/"version": "[^"]*"/, `"version": "${manifest.version}"`),
  );
  await edit(path.join(top, 'apps/chart/Chart.yaml'), (text) => withVersion(text, manifest.version));
  await run('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: top });
}

function withVersion(chart: string, version: string): string {
  const document = parseDocument(chart);
  for (const name of ['version', 'appVersion']) document.set(name, version);
  return document.toString({ lineWidth: 0 });
}

async function edit(file: string, change: (text: string) => string): Promise<void> {
  await writeFile(file, change(await readFile(file, 'utf8')));
}
