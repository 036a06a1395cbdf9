import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { strToU8, zipSync } from 'fflate';
import { testdir } from '../../fixtures/fixture.ts';
import { platform } from './sources.ts';
import { createBinaryFinder, type BinaryFinderOptions } from './find-binary.ts';

const distribution = 'terraform';

describe('in PATH', () => {
  test('a binary of the version wanted is taken', async () => {
    await using machine = await aMachine('1.11.4');
    const find = finder(machine);

    expect(await find({ distribution, version: '1.11.4' })).toEqual({
      path: `${machine.path}/bin/terraform`,
      version: '1.11.4',
    });
  });

  test('a binary that satisfies required_version is taken', async () => {
    await using machine = await aMachine('1.11.4');
    const find = finder(machine, { defaultVersion: '1.9.0' });

    expect(await find({ distribution, requiredVersion: '~> 1.5' })).toMatchObject({ version: '1.11.4' });
  });

  test('any binary is taken when nothing is wanted', async () => {
    await using machine = await aMachine('1.11.4');

    expect(await finder(machine)({ distribution })).toMatchObject({ version: '1.11.4' });
  });

  test('a binary is asked for its version once', async () => {
    await using machine = await aMachine('1.11.4');
    const find = finder(machine);

    await Promise.all([find({ distribution }), find({ distribution })]);
    await find({ distribution });

    expect((await readdir(path.join(machine.path, 'bin'))).filter((name) => name.startsWith('asked'))).toHaveLength(1);
  });
});

describe('what cannot be had is named', () => {
  test('no binary at all', async () => {
    await using machine = await aMachine();

    await expect(finder(machine)({ distribution })).rejects.toMatchObject({
      code: 'BINARY_MISSING',
      message:
        'expected terraform (any version) in PATH or in the cache, found none, and downloads are off: ' +
        'install terraform on the worker or turn terraform.downloads on',
    });
  });

  test('another version', async () => {
    await using machine = await aMachine('1.11.4');

    await expect(finder(machine)({ distribution, version: '1.5.7' })).rejects.toMatchObject({
      code: 'VERSION_UNAVAILABLE',
      message:
        'expected terraform 1.5.7, found 1.11.4: install that version on the worker, turn terraform.downloads on, or ask for one that is there',
    });
  });

  test.each(['../../etc', '1.5', 'v1.5.7', '1.5.7/../../x', 'latest'])('%p, which is no version', async (version) => {
    await using machine = await aMachine('1.11.4');

    await expect(finder(machine)({ distribution, version })).rejects.toMatchObject({ code: 'VERSION_UNAVAILABLE' });
  });
});

describe('from a mirror', () => {
  test('the exact version is fetched, checked, installed, and found in the cache from then on', async () => {
    await using machine = await aMachine('1.11.4');
    await using mirror = await aMirror({ '1.5.7': aZip('1.5.7') });
    const find = finder(machine, { downloads: { mirrorUrl: mirror.url } });

    const found = await find({ distribution, version: '1.5.7' });
    const again = await finder(machine)({ distribution, version: '1.5.7' });

    expect(found).toEqual({ path: `${machine.path}/cache/terraform/${platform()}/1.5.7/terraform`, version: '1.5.7' });
    expect(again).toEqual(found);
  });

  test('the newest that satisfies required_version is fetched, no pre-release', async () => {
    await using machine = await aMachine();
    await using mirror = await aMirror({
      '1.5.6': aZip('1.5.6'),
      '1.5.7': aZip('1.5.7'),
      '1.5.8-rc1': aZip('x'),
      '1.6.0': aZip('y'),
    });
    const find = finder(machine, { downloads: { mirrorUrl: mirror.url } });

    expect(await find({ distribution, requiredVersion: '~> 1.5.0' })).toMatchObject({ version: '1.5.7' });
  });

  test('roots that want the same version at the same time share one download', async () => {
    await using machine = await aMachine();
    await using mirror = await aMirror({ '1.5.7': aZip('1.5.7') });
    const find = finder(machine, { downloads: { mirrorUrl: mirror.url } });

    await Promise.all(Array.from({ length: 5 }, () => find({ distribution, version: '1.5.7' })));

    expect(mirror.requests.filter((url) => url.endsWith('.zip'))).toHaveLength(1);
  });

  test('a zip that has another sum is not installed', async () => {
    await using machine = await aMachine();
    await using mirror = await aMirror({ '1.5.7': aZip('1.5.7') }, '0'.repeat(64));
    const find = finder(machine, { downloads: { mirrorUrl: mirror.url } });

    await expect(find({ distribution, version: '1.5.7' })).rejects.toMatchObject({ code: 'CHECKSUM_MISMATCH' });
    expect(await readdir(machine.path)).toEqual(['bin']);
  });

  test('a version that is not published is unavailable', async () => {
    await using machine = await aMachine();
    await using mirror = await aMirror({});
    const find = finder(machine, { downloads: { mirrorUrl: mirror.url } });

    await expect(find({ distribution, version: '1.5.7' })).rejects.toMatchObject({ code: 'VERSION_UNAVAILABLE' });
  });

  test('a mirror that does not answer is told as such', async () => {
    await using machine = await aMachine();
    const find = finder(machine, { downloads: { mirrorUrl: 'http://127.0.0.1:1' } });

    await expect(find({ distribution, version: '1.5.7' })).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED' });
  });
});

function finder(machine: { readonly path: string }, changes: Partial<BinaryFinderOptions> = {}) {
  const [searchPath, cacheDir] = [`${machine.path}/bin`, `${machine.path}/cache`];
  return createBinaryFinder({ path: searchPath, cacheDir, downloads: false, ...changes });
}

/** A machine with this version in its PATH, or none. */
async function aMachine(version?: string) {
  const machine = await testdir(version === undefined ? { 'bin/other': '' } : { 'bin/terraform': aBinary(version) });
  if (version !== undefined) await chmod(path.join(machine.path, 'bin/terraform'), 0o755);
  return machine;
}

/** Tells its version, and leaves a file each time it is asked. */
function aBinary(version: string): string {
  return `#!/bin/sh\n: > "$0-asked-$$" && /bin/mv "$0-asked-$$" "\${0%/*}/asked-$$"\necho '{"terraform_version":"${version}"}'\n`;
}

function aZip(version: string): Uint8Array {
  return zipSync({ 'LICENSE.txt': strToU8('free'), terraform: strToU8(aBinary(version)) });
}

/** Serves these zips with the layout of the vendor's site. */
async function aMirror(zips: Readonly<Record<string, Uint8Array>>, sum?: string) {
  const files = new Map<string, Uint8Array | string>();
  for (const [version, zip] of Object.entries(zips)) {
    const name = `terraform_${version}_${platform()}.zip`;
    const found = createHash('sha256').update(zip).digest('hex');
    files.set(`/terraform/${version}/${name}`, zip);
    files.set(
      `/terraform/${version}/terraform_${version}_SHA256SUMS`,
      `${'f'.repeat(64)}  other.zip\n${sum ?? found}  ${name}\n`,
    );
  }
  files.set(
    '/terraform/index.json',
    JSON.stringify({
      name: 'terraform',
      versions: Object.fromEntries(Object.keys(zips).map((version) => [version, {}])),
    }),
  );

  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const file = files.get(request.url ?? '');
    response.writeHead(file === undefined ? 404 : 200).end(file);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on TCP has this kind of address.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
