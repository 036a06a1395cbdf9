import { createPrivateKey, createPublicKey } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { AccessAnswer, AccessRequest } from '@nereid/domain/person';
import type { Signed } from '@nereid/domain/signed';
import { CONTROL_QUEUE } from '@nereid/domain/temporal-names';
import { inParts } from '@nereid/domain/parts';
import { createKeyPair, createSigner, createVerifier, encloseBody } from '@nereid/signature';
import { environmentOfThisFile } from '@nereid/test-kit/environment-of-this-file';
import { pino } from 'pino';
import type { KnownVisitor } from '../login/visitor/visitor.ts';
import { AccessUnknownError } from './access-unknown.ts';
import { createAskControl } from './ask-control.ts';

const ADA: KnownVisitor = {
  kind: 'person',
  person: { login: 'ada' },
  proof: { mode: 'proxy', assertion: 'a' },
  by: 'browser',
};
const INFRA = { owner: 'acme', name: 'infra' };
const [control, another] = [createKeyPair(), createKeyPair()];

type Answers = (request: AccessRequest) => Promise<Signed<AccessAnswer>>;

const environment = environmentOfThisFile();
const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
describe('control says which repositories a person may read', () => {
  test('of as many as a page shows, in questions of fifty', async () => {
    const asked: number[] = [];
    const ask = await asking(async (request) => {
      asked.push(request.repositories.length);
      return answerTo(request, (name) => name.endsWith('7'));
    });
    const repositories = Array.from({ length: 120 }, (_, index) => ({ owner: 'acme', name: `r${index}` }));

    const answers = await ask(ADA, repositories);

    expect(asked.toSorted()).toEqual([20, 50, 50]);
    expect(answers.flatMap(({ sees }, index) => (sees === 'no' ? [] : [index]))).toHaveLength(12);
    expect(answers[107]).toEqual({ sees: 'as-member', ageMs: 1_000 });
  });

  const lies: readonly (readonly [string, Answers])[] = [
    ['that somebody else signed', (request) => answerTo(request, () => true, { key: another.privateKey })],
    ['that nobody signed', async (request) => ({ ...(await answerTo(request, () => true)), signature: '' })],
    ['about another person', (request) => answerTo({ ...request, login: 'eve' }, () => true)],
    [
      'about another repository',
      (request) => answerTo({ ...request, repositories: [{ ...INFRA, name: 'open' }] }, () => true),
    ],
    ['to an earlier question', (request) => answerTo({ ...request, nonce: 'an earlier one' }, () => true)],
    ['that was changed', changing(() => false, { mayRead: [true] })],
    ['that was made younger', changing(() => true, { ageMs: 0 })],
    ['of another day', (request) => answerTo(request, () => true, { at: '2026-01-31T14:00:00.000Z' })],
  ];

  test.each(lies)('an answer %s shows nobody anything', async (_what, lie) => {
    const ask = await asking(lie);

    await expect(ask(ADA, [INFRA])).rejects.toThrow(AccessUnknownError);
  });
});

test('without workers nobody knows, and the page does not wait long for it', async () => {
  const { client } = environment;
  const ask = createAskControl({ client, verifier: verifier(), logger: pino({ level: 'silent' }), patienceMs: 500 });

  await expect(ask(ADA, [INFRA])).rejects.toThrow('the workers or GitHub do not answer');
});

async function asking(askAccess: Answers) {
  const worker = await environment.createWorker({
    taskQueue: CONTROL_QUEUE,
    activities: { answer: inParts({ askAccess }) },
  });
  const running = worker.run();
  ends.push(() => {
    worker.shutdown();
    return running;
  });
  const { client } = environment;
  // Longer than a worker takes that others slow down.
  return createAskControl({ client, verifier: verifier(), logger: pino({ level: 'silent' }), patienceMs: 30_000 });
}

async function answerTo(
  request: AccessRequest,
  mayReadOne: (name: string) => boolean,
  { key = control.privateKey, at = new Date().toISOString(), ageMs = 1_000 } = {},
): Promise<Signed<AccessAnswer>> {
  const mayRead = request.repositories.map(({ name }) => mayReadOne(name));
  const signer = createSigner(createPrivateKey(key));
  return encloseBody(signer, 'decision/access', { ...request, mayRead, at, ageMs });
}

/** Somebody changes the answer on its way. */
function changing(mayReadOne: () => boolean, change: Partial<AccessAnswer>): Answers {
  return async (request) => {
    const { body, signature } = await answerTo(request, mayReadOne);
    return { body: { ...body, ...change }, signature };
  };
}

function verifier() {
  return createVerifier([createPublicKey(control.publicKey)]);
}
