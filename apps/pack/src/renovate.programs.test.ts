/** Renovate finds the pins that are written in its own words and in ours. */
import { beforeAll, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { readRepository } from './repository.ts';

const TOP = path.join(import.meta.dirname, '../../..');

interface Manager {
  readonly description: string;
  readonly managerFilePatterns: readonly string[];
  readonly matchStrings: readonly string[];
  readonly depNameTemplate?: string;
}

interface Pin {
  readonly file: string;
  readonly name: string;
  readonly version: string;
}

let pins: readonly (readonly [manager: string, found: readonly Pin[]])[];

beforeAll(async () => {
  const { customManagers, ignorePaths } = JSON.parse(
    await readFile(path.join(TOP, '.github/renovate.json'), 'utf8'),
  ) as { readonly customManagers: readonly Manager[]; readonly ignorePaths: readonly string[] };
  const all = (await readRepository(TOP)).files;
  const files = all.filter((file) => !ignorePaths.some((pattern) => path.matchesGlob(file, pattern)));
  pins = await Promise.all(
    customManagers.map(async (manager) => [manager.description, await pinsOf(manager, files)] as const),
  );
});

async function pinsOf(manager: Manager, files: readonly string[]): Promise<readonly Pin[]> {
  const patterns = manager.managerFilePatterns.map((pattern) => new RegExp(pattern.slice(1, -1)));
  const matching = files.filter((file) => patterns.some((pattern) => pattern.test(file)));
  const found = matching.map(async (file) => {
    const text = await readFile(path.join(TOP, file), 'utf8');
    return manager.matchStrings.flatMap((match) =>
      Array.from(text.matchAll(new RegExp(match, 'g')), ({ groups = {} }) => ({
        file,
        name: groups['depName'] ?? manager.depNameTemplate ?? '',
        version: groups['currentValue'] ?? '',
      })),
    );
  });
  return (await Promise.all(found)).flat();
}

test('each of our own words finds a pin, with a name and a version', () => {
  for (const [manager, found] of pins) {
    expect([manager, found.length]).not.toEqual([manager, 0]);
    for (const pin of found) {
      expect(pin.name).toMatch(/./);
      expect(pin.version).toMatch(/^\d+\.\d+\.\d+$/);
    }
  }
});

test('they find what the product and its tests pin outside of lock files and images', () => {
  const names = pins.flatMap(([, found]) => found.map(({ name }) => name));

  expect(new Set(names)).toEqual(
    new Set([
      'node',
      'hashicorp/terraform',
      'helm.sh/helm/v4',
      'github.com/zegl/kube-score',
      'github.com/rhysd/actionlint',
      'github.com/google/go-containerregistry',
      'github.com/fsouza/fake-gcs-server',
      'github.com/open-policy-agent/conftest',
      'github.com/hashicorp/terraform',
      'github.com/docker/compose/v2',
      'github.com/containerd/containerd/v2',
      'github.com/containernetworking/plugins',
      'github.com/opencontainers/runc',
      'kubernetes/kubernetes',
      'temporalio/temporal',
      'temporalio/cli',
      'open-policy-agent/conftest',
    ]),
  );
});

test('no tool that Go installs is pinned in words that they do not know', async () => {
  const { files } = await readRepository(TOP);
  const sources = files.filter((file) => file.startsWith('packages/test-kit/src/') && file.endsWith('.ts'));
  const texts = await Promise.all(
    sources.map(async (file) => [file, await readFile(path.join(TOP, file), 'utf8')] as const),
  );

  const pinned = texts.filter(([, text]) => /\bmodule: '[a-z.]+\//.test(text)).map(([file]) => file);

  const known = new Set(pins.flatMap(([, found]) => found.map(({ file }) => file)));
  expect(pinned.filter((file) => !file.endsWith('.test.ts') && !known.has(file))).toEqual([]);
});
