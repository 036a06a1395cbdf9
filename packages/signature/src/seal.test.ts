import { createPrivateKey, createPublicKey } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createOpener, createSealKeyPair, createSealer, UnopenableError, type SealPurpose } from './index.ts';

const OURS = createSealKeyPair();
const NEWER = createSealKeyPair();
const PURPOSE: SealPurpose = { subject: 'd1', repository: 'acme/infra' };
const SECRET = 'ghs_the-token-of-the-app';

const sealer = createSealer(createPublicKey(OURS.publicKey));
const opener = openerOf(OURS);

test('only the pool opens what is sealed, and finds the secret and its end', async () => {
  const expiresAt = inAnHour();

  const sealed = await sealer.seal(PURPOSE, { secret: SECRET, expiresAt });

  expect(sealed.split('.')).toHaveLength(5);
  expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain(SECRET);
  await expect(opener.open(PURPOSE, sealed)).resolves.toEqual({ secret: SECRET, expiresAt });
});

test('the same secret is never sealed to the same text', async () => {
  const expiresAt = inAnHour();

  const [one, two] = [await seal({ expiresAt }), await seal({ expiresAt })];

  expect(one).not.toBe(two);
});

test('while keys rotate, a host opens what was sealed to its older key and to its newer one', async () => {
  const both = openerOf(NEWER, OURS);
  const toNewer = await createSealer(createPublicKey(NEWER.publicKey)).seal(PURPOSE, aSecret());

  await expect(both.open(PURPOSE, await seal())).resolves.toMatchObject({ secret: SECRET });
  await expect(both.open(PURPOSE, toNewer)).resolves.toMatchObject({ secret: SECRET });
});

describe('nothing is opened', () => {
  test.each<[string, SealPurpose]>([
    ['another deployment', { ...PURPOSE, subject: 'd2' }],
    ['another repository', { ...PURPOSE, repository: 'acme/secrets' }],
  ])('that was sealed for %s', async (_what, purpose) => {
    await isRefused(purpose, await seal(), 'something else');
  });

  test('that was sealed to another pool', async () => {
    const theirs = await createSealer(createPublicKey(NEWER.publicKey)).seal(PURPOSE, aSecret());

    await isRefused(PURPOSE, theirs, 'to a key that this process does not have');
  });

  test('that has expired', async () => {
    await isRefused(PURPOSE, await seal({ expiresAt: Date.now() - 1_000 }), 'has expired');
  });

  test.each([0, 1, 2, 3, 4])('whose part %i was changed', async (part) => {
    const parts = (await seal()).split('.');
    // The second part is empty: the key is agreed, not wrapped.
    const changed = parts.map((text, index) => (index === part ? `${text.slice(0, -3)}AAAA` : text)).join('.');

    await isRefused(PURPOSE, changed, 'seal');
  });

  test.each([
    ['no text', 7],
    ['no seal', 'secret'],
    ['a text of a megabyte', 'A'.repeat(1_000_000)],
    ['what names no key', `${header({ alg: 'ECDH-ES', enc: 'A256GCM' })}....`],
    ['what a password opens', `${header({ alg: 'dir', enc: 'A256GCM', kid: 'x' })}....`],
  ])('nothing opens %s', async (_what, text) => {
    // It came over the wire.
    await isRefused(PURPOSE, text as string, 'seal');
  });
});

test('the error shows neither the secret nor what was sealed', async () => {
  const sealed = await seal();

  const error: unknown = await opener.open({ ...PURPOSE, subject: 'd2' }, sealed).catch((found: unknown) => found);

  const shown = `${String(error)} ${JSON.stringify(error)} ${String((error as Error).cause)}`;
  expect(shown).not.toContain(SECRET);
  expect(shown).not.toContain(sealed);
});

async function isRefused(purpose: SealPurpose, sealed: string, why: string): Promise<void> {
  const opening = opener.open(purpose, sealed);
  await expect(opening).rejects.toThrow(UnopenableError);
  await expect(opening).rejects.toThrow(why);
}

function seal(secret: { readonly expiresAt?: number } = {}): Promise<string> {
  return sealer.seal(PURPOSE, { ...aSecret(), ...secret });
}

function aSecret() {
  return { secret: SECRET, expiresAt: inAnHour() };
}

/** A whole second, as seals have it. */
function inAnHour(): number {
  return (Math.floor(Date.now() / 1_000) + 3_600) * 1_000;
}

function openerOf(...pairs: readonly { readonly privateKey: string }[]) {
  return createOpener(pairs.map(({ privateKey }) => createPrivateKey(privateKey)));
}

function header(fields: object): string {
  return Buffer.from(JSON.stringify(fields)).toString('base64url');
}
