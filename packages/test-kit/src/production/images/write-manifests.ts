/**
 * `node write-manifests.ts <folder> <workspace> …`: writes what `npm ci` reads to install exactly the packages that these
 * workspaces need at run time. The current folder is the repository.
 */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { selectPackages, type Lock } from './select-packages.ts';

const [target, ...workspaces] = process.argv.slice(2);
if (target === undefined || workspaces.length === 0) {
  process.stderr.write('expected a folder and workspaces: node write-manifests.ts /manifests @nereid/gateway\n');
  process.exit(2);
}

const lock = selectPackages(JSON.parse(await readFile('package-lock.json', 'utf8')) as Lock, workspaces); // Written by npm.
const folders = lock.packages['']?.workspaces ?? [];

await writeJson('package-lock.json', lock);
await writeManifest('package.json', { workspaces: folders });
for (const folder of folders) await writeManifest(path.join(folder, 'package.json'), {});
await copyFile('.npmrc', path.join(target, '.npmrc'));

async function writeManifest(file: string, changed: object): Promise<void> {
  const { devDependencies: _, ...manifest } = JSON.parse(await readFile(file, 'utf8')) as { devDependencies?: object };
  await writeJson(file, { ...manifest, ...changed });
}

async function writeJson(file: string, content: object): Promise<void> {
  const to = path.join(target ?? '', file);
  await mkdir(path.dirname(to), { recursive: true });
  await writeFile(to, `${JSON.stringify(content, null, 2)}\n`);
}
