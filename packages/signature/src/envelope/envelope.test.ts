/** Envelopes: what opens, and what does not. The tables are made from the kinds and from the bodies themselves. */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { ENVELOPE_KINDS } from '@nereid/domain/envelope';
import type { Claim } from '@nereid/domain/host';
import type { Signed } from '@nereid/domain/signed';
import { changedMessages } from '@nereid/test-kit/changed-messages';
import {
  createKeyPair,
  createSigner,
  createVerifier,
  encloseBody,
  ForgedError,
  NewerVersionError,
  openEnvelope,
  type Proven,
} from '../index.ts';

const OURS = createKeyPair();
const signer = createSigner(createPrivateKey(OURS.privateKey));
const verifier = createVerifier([createPublicKey(OURS.publicKey)]);

const CLAIM: Claim = { version: 1, deploymentId: 'd1', hostId: 'h1' };
const ABOUT = { pool: 'default', deploymentId: 'd1', hostId: 'h1' };

const openClaim = (signed: Signed<Claim> | undefined, about = ABOUT) =>
  openEnvelope(verifier, 'claim/host', signed, about);

describe('a genuine envelope', () => {
  test('opens with what its signer said, and is sent on as it came', async () => {
    const signed = await encloseBody(signer, 'claim/host', CLAIM);

    const proven = await openClaim(signed);

    expect(proven.body).toEqual(CLAIM);
    expect(proven.signed).toEqual(signed);
    await expect(openClaim(proven.signed)).resolves.toBeDefined();
  });

  test('opens after programs on its way have written its fields in another order', async () => {
    const { signature } = await encloseBody(signer, 'claim/host', CLAIM);

    const body = { hostId: 'h1', deploymentId: 'd1', version: 1 } as const;

    expect((await openClaim({ body, signature })).body).toEqual(CLAIM);
  });

  test('has a body that nobody can change, at any depth', async () => {
    const repository = { owner: 'acme', name: 'infra', installationId: 1 };
    const outcome = { version: 1, repository, rootName: 'network', deploymentId: 'd1', sentence: 'It ended.' } as const;
    const signed = await encloseBody(signer, 'result/late-outcome', outcome);

    const { body } = await openEnvelope(verifier, 'result/late-outcome', signed, { pool: 'default' });
    repository.owner = 'mallory';

    expect(body.repository.owner).toBe('acme');
    expect(Object.isFrozen(body) && Object.isFrozen(body.repository)).toBe(true);
  });

  test('keeps fields that this release does not know: what was signed is never cut down before it is verified', async () => {
    const more = { ...CLAIM, slots: 4 };

    expect((await openClaim(await encloseBody(signer, 'claim/host', more))).body).toEqual(more);
  });

  test('of a later release is refused by its version, and says what to upgrade', async () => {
    const later = { ...CLAIM, version: 2 } as unknown as Claim; // As that release would sign it.

    const opening = openClaim(await encloseBody(signer, 'claim/host', later));

    await expect(opening).rejects.toThrow(NewerVersionError);
    await expect(opening).rejects.toThrow('to have the version 1, found 2; upgrade this process');
  });
});

describe('an envelope does not open', () => {
  test('when any field of it was changed, added or left out', async () => {
    const signed = await encloseBody(signer, 'claim/host', CLAIM);
    const more = { what: 'a field is added', message: { ...signed, body: { ...signed.body, more: 1 } } };

    const changed = [...changedMessages(signed), more];

    expect(changed).toHaveLength(10);
    for (const { message } of changed) await expect(openClaim(message)).rejects.toThrow(ForgedError);
  });

  test.each([undefined, null, 7, 'text', {}, { body: null, signature: '' }, { body: CLAIM }, { signature: 'a..b' }])(
    'an envelope does not open when it is %j',
    async (odd) => {
      // It came over the wire.
      await expect(openClaim(odd as unknown as Signed<Claim>)).rejects.toThrow(ForgedError);
    },
  );

  test.each<[string, string]>([
    ['is nested deeply', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['has half a pair of surrogates', String.raw`"\ud800"`],
    ['has what looks like methods', '{ "toJSON": 1, "toString": 1, "__proto__": 1 }'],
  ])('when a field of it %s', async (_how, json) => {
    const { signature } = await encloseBody(signer, 'claim/host', CLAIM);
    const body = { ...CLAIM, more: JSON.parse(json) as unknown };

    await expect(openClaim({ body, signature })).rejects.toThrow(ForgedError);
  });

  test.each([
    ['deployment', { ...ABOUT, deploymentId: 'd2' }, 'about another deploymentId'],
    ['host', { ...ABOUT, hostId: 'h2' }, 'about another hostId'],
  ])('an envelope does not open when it is about another %s', async (_what, about, why) => {
    const opening = openClaim(await encloseBody(signer, 'claim/host', CLAIM), about);

    await expect(opening).rejects.toThrow(ForgedError);
    await expect(opening).rejects.toThrow(why);
  });

  test('with the key of somebody else', async () => {
    const theirs = createSigner(createPrivateKey(createKeyPair().privateKey));

    await expect(openClaim(await encloseBody(theirs, 'claim/host', CLAIM))).rejects.toThrow('a key that is not known');
  });
});

describe('each kind opens at its own door alone', () => {
  const doors = ENVELOPE_KINDS.flatMap((kind) =>
    ENVELOPE_KINDS.filter((other) => other !== kind).map((other) => [kind, other] as const),
  );

  test.each(doors)('a %s is no %s, whatever it says', async (kind, other) => {
    // Its body would do for any of them.
    const body = { version: 1 } as never;
    const signed = await encloseBody(signer, kind, body);

    await expect(openEnvelope(verifier, other, signed, {} as never)).rejects.toThrow(
      `expected the ${other} to be signed, found a signature of the type nereid-${kind}`,
    );
    await expect(openEnvelope(verifier, kind, signed, {} as never)).resolves.toBeDefined();
  });
});

describe('what is proven', () => {
  test('is made by nothing but opening: no copy and no look-alike is of its type', async () => {
    const proven = await openClaim(await encloseBody(signer, 'claim/host', CLAIM));
    const act = (claim: Proven<Claim>) => claim.body.hostId;

    expect(act(proven)).toBe('h1');
    /* eslint-disable @typescript-eslint/no-unsafe-class-instance-assignment, @typescript-eslint/no-misused-spread -- the mistakes that do not compile */
    // @ts-expect-error a spread has not its private fields
    expect(() => act({ ...proven })).toThrow();
    // @ts-expect-error nobody has verified what only looks like it
    act({
      body: CLAIM,
      signature: 'a..b',
      signed: { body: CLAIM, signature: 'a..b' },
      toJSON: () => undefined as never,
    });
    /* eslint-enable */
  });

  test('never becomes JSON: messages carry the envelope', async () => {
    const proven = await openClaim(await encloseBody(signer, 'claim/host', CLAIM));

    expect(() => JSON.stringify({ proven })).toThrow('stay in its process');
  });
});
