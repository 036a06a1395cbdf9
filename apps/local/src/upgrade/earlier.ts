/** The sources of an earlier version, from which a stack is started before it is upgraded to this checkout. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Environment } from '@nereid/test-kit';
import { APPS, type Sources } from '../stack/processes.ts';
import { bundleOf } from '../stack/workflow-bundle.ts';

const run = promisify(execFile);

const TOP = path.join(APPS, '..');

export interface Earlier {
  /** A tag, a commit, or the newest commit under another version. */
  readonly what: string;
  readonly commit: string;
}

/**
 * The commit in `UPGRADE_FROM`, or the newest release. Before the first one, formats may change with any commit, so there is nothing
 * that an upgrade promises to read. Then it is the newest commit under another version, and only the change of version is tried.
 */
export async function findEarlier(env: Environment): Promise<Earlier> {
  const named = env['UPGRADE_FROM'] ?? '';
  if (named !== '') return { what: named, commit: named };
  const { stdout } = await run('git', ['tag', '--merged', 'HEAD', '--sort=-version:refname', '--list', 'v*'], {
    cwd: TOP,
  });
  const [release = ''] = stdout.split('\n');
  return release === ''
    ? { what: 'this code under another version', commit: 'HEAD' }
    : { what: release, commit: release };
}

/** Makes them in a new folder, with the packages of this checkout. */
export async function unpackEarlier({ commit }: Earlier, folder: string): Promise<Sources> {
  const archive = `${folder}.tar`;
  await mkdir(folder);
  await run(
    'git',
    ['archive', '--output', archive, commit, 'apps', 'packages', 'temporal', 'workflows', 'package.json'],
    {
      cwd: TOP,
    },
  );
  await run('tar', ['--directory', folder, '--extract', '--file', archive]);
  await linkPackages(folder);
  const apps = path.join(folder, 'apps');
  await nameVersion(path.join(apps, 'worker/package.json'));
  return { apps, workflowBundle: await bundleOf(apps, path.join(folder, 'workflows.js')) };
}

/** Packages of others are those of this checkout; the links to workspaces lead to the earlier ones. */
async function linkPackages(folder: string): Promise<void> {
  const ours = '@nereid';
  const [from, to] = [path.join(TOP, 'node_modules'), path.join(folder, 'node_modules')];
  await mkdir(to);
  for (const name of await readdir(from)) if (name !== ours) await symlink(path.join(from, name), path.join(to, name));
  await cp(path.join(from, ours), path.join(to, ours), { recursive: true, verbatimSymlinks: true });
  for (const layer of ['apps', 'packages'])
    for (const name of await readdir(path.join(folder, layer))) {
      const own = path.join(TOP, layer, name, 'node_modules');
      if ((await readdir(own).catch(() => [])).length > 0)
        await symlink(own, path.join(folder, layer, name, 'node_modules'));
    }
}

/** Temporal tells versions apart by the release and the workflow code, which may be the same. */
async function nameVersion(file: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(/"version": "[^"]*"/, '"version": "0.0.0-earlier"'));
}
