import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { readKey } from 'openpgp';
import { fixture } from '../../fixtures/fixture.ts';
import { aVendorKey } from '../testing/index.ts';
import { readVendorKey } from './vendor-keys.ts';
import { verifySums } from './verify-sums.ts';

const url = 'https://vendor.example/SHA256SUMS';
const DAY_MS = 24 * 60 * 60_000;

describe('the keys of the vendors', () => {
  test.each([
    ['terraform', 'C874011F0AB405110D02105534365D9472D7468F'],
    ['tofu', 'E3E6E43D84CB852EADB0051D0C0AF313E5FD9F80'],
  ] as const)('%s is signed by the key %s', async (distribution, fingerprint) => {
    const key = await readKey({ armoredKey: await readVendorKey(distribution) });

    expect(key.getFingerprint().toUpperCase()).toBe(fingerprint);
    await expect(key.verifyPrimaryKey()).resolves.toBeUndefined();
  });

  test.each([
    ['terraform', 'terraform_1.9.8_SHA256SUMS', 'sig'],
    ['tofu', 'tofu_1.8.5_SHA256SUMS', 'gpgsig'],
  ] as const)(
    'a published release of %s verifies, changed by a byte it does not',
    async (distribution, name, ending) => {
      const armoredKey = await readVendorKey(distribution);
      const sums = await readFile(fixture(`releases/${name}`));
      const signature = await readFile(fixture(`releases/${name}.${ending}`));

      await expect(verifySums({ url, sums, signature, armoredKey })).resolves.toBeUndefined();
      const changed = Buffer.from(sums.toString().replace(/^./, (digit) => (digit === '0' ? '1' : '0')));
      await expect(verifySums({ url, sums: changed, signature, armoredKey })).rejects.toMatchObject({
        code: 'SUMS_NOT_SIGNED',
      });
    },
  );

  test('the vendor of one program signs no other', async () => {
    const sums = await readFile(fixture('releases/tofu_1.8.5_SHA256SUMS'));
    const signature = await readFile(fixture('releases/tofu_1.8.5_SHA256SUMS.gpgsig'));
    const armoredKey = await readVendorKey('terraform');

    await expect(verifySums({ url, sums, signature, armoredKey })).rejects.toMatchObject({ code: 'SUMS_NOT_SIGNED' });
  });
});

describe('a signature counts', () => {
  test('when it was made before its key expired', async () => {
    const key = await aVendorKey({ date: new Date(Date.now() - 10 * DAY_MS), lifeSeconds: (5 * DAY_MS) / 1000 });
    const sums = Buffer.from('sums');
    const signature = await key.sign(sums, new Date(Date.now() - 7 * DAY_MS));

    await expect(verifySums({ url, sums, signature, armoredKey: key.armored })).resolves.toBeUndefined();
  });

  test('not when it is dated later than now', async () => {
    const key = await aVendorKey();
    const sums = Buffer.from('sums');
    const signature = await key.sign(sums, new Date(Date.now() + DAY_MS));

    await expect(verifySums({ url, sums, signature, armoredKey: key.armored })).rejects.toMatchObject({
      code: 'SUMS_NOT_SIGNED',
    });
  });

  test('not when its key was revoked', async () => {
    const key = await aVendorKey({ revoked: true });
    const sums = Buffer.from('sums');
    const signature = await key.sign(sums);

    await expect(verifySums({ url, sums, signature, armoredKey: key.armored })).rejects.toMatchObject({
      code: 'SUMS_NOT_SIGNED',
    });
  });

  test('not when another key made it', async () => {
    const [key, other] = await Promise.all([aVendorKey(), aVendorKey()]);
    const sums = Buffer.from('sums');
    const signature = await other.sign(sums);

    await expect(verifySums({ url, sums, signature, armoredKey: key.armored })).rejects.toThrow(
      `expected ${url} to be signed by the OpenPGP key ${key.fingerprint}, found a signature that does not verify`,
    );
  });

  test('not when it ends too early, or is something else', async () => {
    const key = await aVendorKey();
    const sums = Buffer.from('sums');
    const signature = await key.sign(sums);

    for (const broken of [signature.subarray(0, -10), signature.subarray(0, 1), Buffer.alloc(0), Buffer.from('<html>')])
      await expect(verifySums({ url, sums, signature: broken, armoredKey: key.armored })).rejects.toMatchObject({
        code: 'SUMS_NOT_SIGNED',
      });
  });
});
