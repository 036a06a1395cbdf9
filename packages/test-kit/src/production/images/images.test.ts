/** An image holds what its programs load, and nothing else. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { glob } from 'node:fs/promises';
import path from 'node:path';
import { isForTests } from '../../tidy/source-file.ts';
import { parseDockerfile, type Stage } from '../dockerfile.ts';
import { DOCKERFILE, installedWorkspaces } from './image-folder.ts';
import { REPOSITORY, readRepositoryFile } from '../../repository.ts';
import { IMAGES } from './images.ts';
import { createReadImports, loadedBy, packageOf } from './imports.ts';
import { selectPackages, type Lock } from './select-packages.ts';
import { readWorkspaces, type Workspace } from './workspaces.ts';

/** Of clouds and GitHub, with what can change something there; of bundlers, with what runs code that they are given. */
const NOT_IN_THE_GATEWAY =
  /(^|\/)(@aws-sdk|@azure|@google-cloud|google-[a-z-]+|@octokit|webpack|@swc|@temporalio\/worker)(\/|$)/;
const CLOUDS = /^(@aws-sdk\/|@azure\/|google-auth-library$)/;

const readImports = createReadImports();

let workspaces: readonly Workspace[];
let stages: ReadonlyMap<string, Stage>;
let lock: Lock;

beforeAll(async () => {
  workspaces = await readWorkspaces();
  stages = parseDockerfile(await readRepositoryFile(DOCKERFILE));
  lock = JSON.parse(await readRepositoryFile('package-lock.json')) as Lock; // Written by npm.
});

/** Only developers and tests run these, so that no image has them. */
const FOR_DEVELOPERS = /^(apps\/(bench|local|cli|docs)|packages\/(github-stand-in|test-kit))$/;

test('each workspace depends on exactly what its code loads, tests and types aside', async () => {
  const shipped = workspaces.filter(({ folder }) => !FOR_DEVELOPERS.test(folder));

  for (const { name, folder, dependencies } of shipped) {
    const files = await sourcesIn(folder);
    const imports = (await Promise.all(files.map(readImports))).flat();
    const names = new Set(imports.flatMap(({ from }) => packageOf(from) ?? []));
    names.delete(name);
    expect([name, [...dependencies].sort()]).toEqual([name, [...names].sort()]);
  }
});

describe.each(IMAGES)('the image of the $target', ({ target, entries }) => {
  test('holds the sources of exactly those workspaces that are loaded there', async () => {
    const { files } = await loadedBy(entries, workspaces, ['at-once', 'later'], readImports);

    const loaded = workspaces.filter(({ folder }) => [...files].some((file) => file.startsWith(`${folder}/`)));
    const names = ({ folder }: Workspace) => folder;
    expect(copiedInto(target)).toEqual(loaded.map(names).sort());
  });

  test('installs no package for them that is not loaded there', async () => {
    const { packages } = await loadedBy(entries, workspaces, ['at-once', 'later', 'located'], readImports);

    const copied = new Set(copiedInto(target));
    const declared = workspaces.filter(({ folder }) => copied.has(folder)).flatMap(({ dependencies }) => dependencies);
    expect([...new Set(declared)].filter((name) => !packages.has(name))).toEqual([]);
  });

  test('loads the client of a cloud only where it is asked for', async () => {
    const { packages } = await loadedBy(entries, workspaces, ['at-once'], readImports);

    expect([...packages].filter((name) => CLOUDS.test(name))).toEqual([]);
  });
});

test('the licence of each package in an image stands in NOTICE', async () => {
  const notice = await readRepositoryFile('NOTICE');

  const installed = [...installedWorkspaces(stages).values()].map((names) => selectPackages(lock, names).packages);
  const packages = installed.flatMap((each) => Object.entries(each)).filter(([, { version }]) => version !== undefined);
  const licences = new Set(packages.flatMap(([, { license = '' }]) => license.split(/ (?:AND|OR) |[()]/)));
  // As its package.json has it; and that of those packages whose package.json says nothing, and which have a file.
  for (const other of ['LGPL-3.0+', '']) licences.delete(other);
  expect([...licences].filter((licence) => !notice.includes(licence))).toEqual([]);
  expect(packages.some(([, { license }]) => license === 'MIT')).toBe(true);
});

test('nothing is installed for the gateway that could change anything', () => {
  const { packages } = selectPackages(lock, ['@nereid/gateway']);

  expect(Object.keys(packages)).toContain('node_modules/express');
  expect(Object.keys(packages).filter((name) => NOT_IN_THE_GATEWAY.test(name))).toEqual([]);
});

/** The folders of workspaces, in order. */
function copiedInto(target: string): readonly string[] {
  const copies = stages.get(target)?.copies.filter(({ from }) => from === undefined) ?? [];
  return copies.flatMap(({ sources }) => sources).toSorted();
}

async function sourcesIn(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  for await (const file of glob(`${folder}/**/*.{ts,js}`, {
    cwd: REPOSITORY,
    exclude: ['**/node_modules/**', '**/dist/**'],
  }))
    if (!isForTests({ path: file }) && path.extname(file) !== '') files.push(file);
  return files;
}
