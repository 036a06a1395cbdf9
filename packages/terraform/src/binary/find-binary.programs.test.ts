import { chmod, readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { strToU8, zipSync } from 'fflate';
import { testdir } from '../../fixtures/fixture.ts';
import { aReleaseMirror, aVendorKey, type ReleaseMirror } from '../testing/index.ts';
import { platform } from './sources.ts';
import { createBinaryFinder, type BinaryFinderOptions } from './find-binary.ts';

const distribution = 'terraform';
const vendor = await aVendorKey();
const SUMS = '/terraform/1.5.7/terraform_1.5.7_SHA256SUMS';

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

  test('a version other than that of the machine, where downloads are off', async () => {
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
    await using mirror = await aReleaseMirror({ '1.5.7': aZip('1.5.7') }, vendor);
    const find = finder(machine, { downloads: from(mirror) });

    const found = await find({ distribution, version: '1.5.7' });
    const again = await finder(machine)({ distribution, version: '1.5.7' });

    expect(found).toEqual({ path: `${machine.path}/cache/terraform/${platform()}/1.5.7/terraform`, version: '1.5.7' });
    expect(again).toEqual(found);
  });

  test('the newest that satisfies required_version is fetched, no pre-release', async () => {
    await using machine = await aMachine();
    await using mirror = await aReleaseMirror(
      {
        '1.5.6': aZip('1.5.6'),
        '1.5.7': aZip('1.5.7'),
        '1.5.8-rc1': aZip('x'),
        '1.6.0': aZip('y'),
      },
      vendor,
    );
    const find = finder(machine, { downloads: from(mirror) });

    expect(await find({ distribution, requiredVersion: '~> 1.5.0' })).toMatchObject({ version: '1.5.7' });
  });

  test('roots that want the same version at the same time share one download', async () => {
    await using machine = await aMachine();
    await using mirror = await aReleaseMirror({ '1.5.7': aZip('1.5.7') }, vendor);
    const find = finder(machine, { downloads: from(mirror) });

    await Promise.all(Array.from({ length: 5 }, () => find({ distribution, version: '1.5.7' })));

    expect(mirror.requests.filter((url) => url.endsWith('.zip'))).toHaveLength(1);
  });

  test('a zip that has another sum is not installed', async () => {
    await using machine = await aMachine();
    await using mirror = await aReleaseMirror({ '1.5.7': aZip('1.5.7') }, vendor);
    mirror.files.set(`/terraform/1.5.7/terraform_1.5.7_${platform()}.zip`, aZip('changed'));
    const find = finder(machine, { downloads: from(mirror) });

    await expect(find({ distribution, version: '1.5.7' })).rejects.toMatchObject({ code: 'CHECKSUM_MISMATCH' });
    expect(await readdir(machine.path)).toEqual(['bin']);
  });

  test('a list of sums that the vendor did not sign is not believed, and its zip not fetched', async () => {
    await using machine = await aMachine();
    await using mirror = await aReleaseMirror({ '1.5.7': aZip('1.5.7') }, await aVendorKey());
    const find = finder(machine, { downloads: from(mirror) });

    await expect(find({ distribution, version: '1.5.7' })).rejects.toMatchObject({ code: 'SUMS_NOT_SIGNED' });
    expect(mirror.requests.filter((url) => url.endsWith('.zip'))).toEqual([]);
    expect(await readdir(machine.path)).toEqual(['bin']);
  });

  test('a list of sums that was changed after it was signed is not believed', async () => {
    await using machine = await aMachine();
    await using mirror = await aReleaseMirror({ '1.5.7': aZip('1.5.7') }, vendor);
    mirror.files.set(SUMS, `${'0'.repeat(64)}  terraform_1.5.7_${platform()}.zip\n`);
    const find = finder(machine, { downloads: from(mirror) });

    await expect(find({ distribution, version: '1.5.7' })).rejects.toMatchObject({ code: 'SUMS_NOT_SIGNED' });
  });

  test('the signed list of another version does not count for this one', async () => {
    await using machine = await aMachine();
    await using mirror = await aReleaseMirror({ '1.5.7': aZip('1.5.7'), '1.5.6': aZip('1.5.6') }, vendor);
    for (const ending of ['', '.sig'])
      mirror.files.set(`${SUMS}${ending}`, mirror.files.get(`${SUMS.replaceAll('1.5.7', '1.5.6')}${ending}`) ?? '');
    const find = finder(machine, { downloads: from(mirror) });

    await expect(find({ distribution, version: '1.5.7' })).rejects.toMatchObject({ code: 'VERSION_UNAVAILABLE' });
  });

  test('a signature with the key id in its name goes before the other one', async () => {
    await using machine = await aMachine();
    await using mirror = await aReleaseMirror({ '1.5.7': aZip('1.5.7') }, vendor);
    mirror.files.set(`${SUMS}.72D7468F.sig`, mirror.files.get(`${SUMS}.sig`) ?? '');
    mirror.files.set(`${SUMS}.sig`, 'a signature by an older key');
    const find = finder(machine, { downloads: from(mirror) });

    expect(await find({ distribution, version: '1.5.7' })).toMatchObject({ version: '1.5.7' });
  });

  test('a mirror without the signature is told what to put there', async () => {
    await using machine = await aMachine();
    await using mirror = await aReleaseMirror({ '1.5.7': aZip('1.5.7') }, vendor);
    mirror.files.delete(`${SUMS}.sig`);
    const find = finder(machine, { downloads: from(mirror) });

    await expect(find({ distribution, version: '1.5.7' })).rejects.toMatchObject({
      code: 'SUMS_NOT_SIGNED',
      message:
        `expected ${mirror.url}${SUMS.slice(1)} to be signed by the OpenPGP key ${vendor.fingerprint}, found no signature beside it: ` +
        'nothing was installed; put terraform_1.5.7_SHA256SUMS.72D7468F.sig or terraform_1.5.7_SHA256SUMS.sig of the vendor beside it',
    });
  });

  test('without keys given, those of the vendors count', async () => {
    await using machine = await aMachine();
    await using mirror = await aReleaseMirror({ '1.5.7': aZip('1.5.7') }, vendor);
    const find = finder(machine, { downloads: { mirrorUrl: mirror.url } });

    await expect(find({ distribution, version: '1.5.7' })).rejects.toThrow('C874011F0AB405110D02105534365D9472D7468F');
  });

  test('a version that is not published is unavailable', async () => {
    await using machine = await aMachine();
    await using mirror = await aReleaseMirror({}, vendor);
    const find = finder(machine, { downloads: from(mirror) });

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

function from(mirror: ReleaseMirror): BinaryFinderOptions['downloads'] {
  return { mirrorUrl: mirror.url, vendorKeys: { terraform: vendor.armored, tofu: vendor.armored } };
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
