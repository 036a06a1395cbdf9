import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { base64url, CompactSign } from 'jose';
import { createKeyPair, createSigner, createVerifier, ForgedError, readPrivateKey, readPublicKeys } from './index.ts';

const OURS = createKeyPair();
const OLDER = createKeyPair();
const BODY = { deploymentId: 'd1', root: { name: 'network', dir: 'prod/network' }, force: false };

const signer = createSigner(createPrivateKey(OURS.privateKey));
const verifier = createVerifier([OURS, OLDER].map(({ publicKey }) => createPublicKey(publicKey)));

describe('a body is believed', () => {
  test('that were signed, in whatever order their fields arrive', async () => {
    const signature = await signer.sign('decision/review', BODY);
    const arrived = { force: false, root: { dir: 'prod/network', name: 'network' }, deploymentId: 'd1' };

    await expect(verifier.verify('decision/review', arrived, signature)).resolves.toBeUndefined();
  });

  test('with a field that is undefined, which no message carries', async () => {
    const signature = await signer.sign('decision/review', { ...BODY, pullRequest: undefined });

    await expect(verifier.verify('decision/review', BODY, signature)).resolves.toBeUndefined();
  });

  test('that were signed with an older key, while it is known', async () => {
    const signature = await createSigner(createPrivateKey(OLDER.privateKey)).sign('decision/review', BODY);

    await expect(verifier.verify('decision/review', BODY, signature)).resolves.toBeUndefined();
  });
});

describe('a body is forged', () => {
  test.each([
    ['without a signature', BODY, undefined, 'no signature'],
    ['with an empty one', BODY, '', 'another form'],
    // It came over the wire.
    ['with a number', BODY, 7 as unknown as string, 'no signature'],
    ['with one of another form', BODY, 'a.b.c', 'another form'],
    ['with one that is no signature', BODY, `a..${'c'.repeat(85)}A`, 'something else'],
    ['with one that is too short', BODY, `a..${'c'.repeat(85)}`, 'another form'],
  ])('a body is forged %s', async (_how, body, signature, why) => {
    await expect(verifier.verify('decision/review', body, signature)).rejects.toThrow(ForgedError);
    await expect(verifier.verify('decision/review', body, signature)).rejects.toThrow(why);
  });

  test.each([
    ['changed', { ...BODY, force: true }],
    ['changed deep inside', { ...BODY, root: { ...BODY.root, dir: 'prod/database' } }],
    ['added', { ...BODY, pullRequest: 7 }],
    ['left out', { deploymentId: BODY.deploymentId, root: BODY.root }],
  ])('a body is forged when a field was %s', async (_how, body) => {
    const signature = await signer.sign('decision/review', BODY);

    await expect(verifier.verify('decision/review', body, signature)).rejects.toThrow('a signature of something else');
  });

  test.each([
    ['behind it', (signature: string) => `${signature} `],
    ['behind it, with a point', (signature: string) => `${signature}${' '.repeat(800)}.c2lnbmF0dXJl`],
    ['before it', (signature: string) => ` ${signature}`],
    ['within it', (signature: string) => signature.replace('..', '.. ')],
    ['at its end, as a line', (signature: string) => `${signature}\n`],
  ])('a body is forged when anything stands %s', async (_where, change) => {
    const signature = change(await signer.sign('decision/review', BODY));

    await expect(verifier.verify('decision/review', BODY, signature)).rejects.toThrow('a signature of another form');
  });

  test('when the signature is spelt otherwise: its last character has four bits that no decoder reads', async () => {
    const signature = await signer.sign('decision/review', BODY);
    const others = Array.from(BASE64URL, (last) => `${signature.slice(0, -1)}${last}`).filter(
      (one) => one !== signature,
    );
    const alike = others.filter((one) => bytesOf(one).equals(bytesOf(signature)));

    expect(alike).toHaveLength(15);
    for (const one of others) await expect(verifier.verify('decision/review', BODY, one)).rejects.toThrow(ForgedError);
  });

  test('when the signature was made for another kind', async () => {
    const signature = await signer.sign('decision/override', BODY);

    await expect(verifier.verify('decision/review', BODY, signature)).rejects.toThrow(
      'a signature of the type nereid-decision/override',
    );
  });

  test('when somebody else signed them', async () => {
    const signature = await createSigner(createPrivateKey(createKeyPair().privateKey)).sign('decision/review', BODY);

    await expect(verifier.verify('decision/review', BODY, signature)).rejects.toThrow('a key that is not known here');
  });

  test("when somebody else's key poses as ours", async () => {
    const [ours = ''] = (await signer.sign('decision/review', BODY)).split('.');
    const { kid } = JSON.parse(Buffer.from(ours, 'base64url').toString()) as { kid: string };
    const theirs = createPrivateKey(createKeyPair().privateKey);
    const payload = new TextEncoder().encode('{}');
    const jws = await new CompactSign(payload)
      .setProtectedHeader({ alg: 'EdDSA', typ: 'nereid-decision/review', kid })
      .sign(theirs);
    const [header, , signature] = jws.split('.');

    await expect(verifier.verify('decision/review', {}, `${header}..${signature}`)).rejects.toThrow('something else');
  });

  test.each(['none', 'HS256'])('a body is forged when the signature names the algorithm %s', async (alg) => {
    const header = base64url.encode(JSON.stringify({ alg, typ: 'nereid-decision/review' }));

    await expect(verifier.verify('decision/review', BODY, `${header}..AAAA`)).rejects.toThrow(ForgedError);
  });
});

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

function bytesOf(signature: string): Buffer {
  return Buffer.from(signature.split('..')[1] ?? '', 'base64url');
}

describe('keys as PEM', () => {
  test('are read, several one after another, also where line breaks are written as \\n', () => {
    const both = OURS.publicKey + OLDER.publicKey;

    expect(readPublicKeys(both)).toHaveLength(2);
    expect(readPublicKeys(both.replaceAll('\n', String.raw`\n`))).toHaveLength(2);
    expect(readPrivateKey(OURS.privateKey)?.type).toBe('private');
  });

  test.each([
    ['nothing', ''],
    ['no PEM', 'secret'],
    ['a public key in place of a private one', OURS.publicKey],
    [
      'another type of key',
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    ],
    ['two keys, of which one is to sign', OURS.privateKey + OLDER.privateKey],
    ['something beside the key', `${OURS.privateKey}and more`],
    ['a damaged key', OURS.privateKey.replace(/MC4CAQ/, 'AAAAAA')],
  ])('are refused when they are %s', (_what, text) => {
    expect(readPrivateKey(text)).toBeUndefined();
  });
});
