/** Clouds play their part: they know the URL of the issuer, and what their operators wrote. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ApplyJob, Go, HostJob, Order } from '@nereid/domain/deployment';
import type { PlanReview } from '@nereid/domain/plan';
import { tradeToken, type CloudName, type Trust } from '@nereid/test-kit';
import { testSignatures, withGo, withOrder, type Applying, type TestJob } from '../../../testing/test-signatures.ts';
import { aJob } from '../testing/a-job.ts';
import { issueIdentityToken, subjectOf, type IssueContext } from './issue-identity-token.ts';
import { controlWith, serverWith, startTestIssuer, type TestIssuer } from './testing/test-issuer.ts';
import { aPress } from '@nereid/domain/testing';
import type { Signed } from '@nereid/domain/signed';

const CLOUDS: readonly CloudName[] = ['aws', 'google', 'azure'];
const HOUR_MS = 3_600_000;
const DIGEST = 'd'.repeat(64);

const SERVER = serverWith(`
  - { match: acme/*, roots: { network: { identity: { audience: nereid } }, dev: { identity: { audience: dev } } } }`);

let issuer: TestIssuer;
let control: IssueContext;

beforeAll(async () => {
  issuer = await startTestIssuer();
  control = controlWith(SERVER, issuer);
});

afterAll(() => issuer.close());

describe('the token of an apply', () => {
  test('is taken by every cloud, and says what is applied, from where, and who confirmed it', async () => {
    const job = await anApply({ by: 'grace' });
    const token = await tokenFor(job);

    for (const cloud of CLOUDS) {
      expect(await tradeToken(cloud, trusting('apply'), token)).toMatchObject({
        kind: 'traded',
        claims: {
          sub: 'repository:acme/infra:root:network:phase:apply',
          repository: 'acme/infra',
          root: 'network',
          phase: 'apply',
          directory: 'network',
          workspace: 'default',
          branch: 'main',
          revision: 'a'.repeat(40),
          trigger: 'merge',
          deployment: job.order.body.id,
          confirmed_by: 'grace',
        },
      });
    }
  });

  test('names nobody where nobody had to confirm', async () => {
    const traded = await tradeToken('google', trusting('apply'), await tokenFor(await anApply()));

    expect(traded).toMatchObject({ kind: 'traded', claims: expect.not.objectContaining({ confirmed_by: 'grace' }) });
  });

  test.each<[string, (job: ApplyJob) => ApplyJob]>([
    ['without permission', (job) => ({ ...job, go: { ...job.go, signature: job.order.signature } })],
    ['with permission for another plan', (job) => permitting(job, { digest: 'e'.repeat(64) })],
    ['with permission for another host', (job) => permitting(job, { hostId: 'h2' })],
    ['with permission that somebody made longer', (job) => permitting(job, { expiresAt: later(HOUR_MS) })],
    ['confirmed by another person', (job) => ({ ...job, review: changed(job, { by: 'mallory' }) })],
    ['with a rejection', (job) => ({ ...job, review: changed(job, { answer: 'rejected' }) })],
    ['of another root', (job) => ordering(job, ({ root }) => ({ root: { ...root, name: 'dev', dir: 'dev' } }))],
    ['of another directory', (job) => ordering(job, ({ root }) => ({ root: { ...root, dir: 'dev' } }))],
    [
      'of another repository',
      (job) => ordering(job, ({ repository }) => ({ repository: { ...repository, name: 'secrets' } })),
    ],
  ])('is given to nobody %s', async (_what, change) => {
    await expect(tokenFor(change(await anApply({ by: 'grace' })))).rejects.toMatchObject({ code: 'FORGED' });
  });

  test('is given to nobody with the approval of another plan, however it was signed', async () => {
    const job = await anApply();
    const review = await aReview({ deploymentId: job.order.body.id, digest: 'e'.repeat(64) }, 'grace');

    await expect(tokenFor({ ...job, review })).rejects.toMatchObject({ code: 'FORGED' });
  });

  test('is given to nobody whose permission has ended, or is to run nothing', async () => {
    const ended = await withGo(await applying(await withOrder(aJob())), '2026-01-01T00:00:00.000Z');
    const empty = await withGo(await applying(await withOrder(aJob())), undefined, true);

    await expect(tokenFor(ended)).rejects.toMatchObject({ code: 'GO_EXPIRED' });
    await expect(tokenFor(empty)).rejects.toMatchObject({ code: 'FORGED' });
  });
});

describe('the token of a plan', () => {
  test('is another one: no cloud takes it for that of an apply', async () => {
    const token = await tokenFor(await withOrder(aJob()));

    for (const cloud of CLOUDS) {
      expect(await tradeToken(cloud, trusting('plan'), token)).toMatchObject({ kind: 'traded' });
      expect(await tradeToken(cloud, trusting('apply'), token)).toMatchObject({ kind: 'refused' });
    }
    const anyRoot = { ...trusting('apply'), subject: 'repository:acme/infra:root:*:phase:apply' };
    expect(await tradeToken('aws', anyRoot, token)).toMatchObject({ kind: 'refused' });
  });

  test('is what a pull request gets, and never that of an apply', async () => {
    const preview = { headSha: 'b'.repeat(40), baseSha: 'c'.repeat(40), expiresAt: later(HOUR_MS) };
    const job = await withOrder({ ...aJob(), trigger: 'preview', preview });

    const traded = await tradeToken('azure', trusting('plan'), await tokenFor(job));

    expect(traded).toMatchObject({ kind: 'traded', claims: { trigger: 'preview' } });
    await expect(tokenFor(await withGo(await applying(job)))).rejects.toMatchObject({ code: 'FORGED' });
  });

  test('is what a host gets that frees a lock of the state, which plans take, too', async () => {
    const job = await withOrder(aJob());
    const body = { ...job.order.body, unlocking: { lockId: '1', commentId: 3, expiresAt: later(HOUR_MS) } };
    const freeing = { ...job, order: await testSignatures.enclose('order/force-unlock', body) };

    expect(await tradeToken('aws', trusting('plan'), await tokenFor(freeing))).toMatchObject({ kind: 'traded' });
    const apply = await withGo(await applying(freeing));
    await expect(tokenFor(apply)).rejects.toMatchObject({ code: 'FORGED' });
  });

  test('is given to nobody with an order that nobody signed, or of a deployment that has ended', async () => {
    const ended = { ...control, deploymentRecords: { find: async () => Promise.resolve({}) } as never };
    const job = await withOrder(aJob());

    const unsigned = { ...job, order: { ...job.order, signature: '' } };
    await expect(tokenFor(unsigned)).rejects.toMatchObject({ code: 'FORGED' });
    await expect(tokenFor(job, ended)).rejects.toMatchObject({ code: 'DEPLOYMENT_ENDED' });
  });
});

describe('a cloud refuses', () => {
  test('a token that was meant for another one, or of which a claim was changed', async () => {
    const token = await tokenFor(await withOrder(aJob()));
    const [head = '', body = '', signature = ''] = token.split('.');
    const claims = { ...(JSON.parse(Buffer.from(body, 'base64url').toString()) as object), sub: subject('apply') };
    const changed = [head, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');

    expect(await tradeToken('aws', { ...trusting('plan'), audience: 'dev' }, token)).toMatchObject({ kind: 'refused' });
    expect(await tradeToken('aws', trusting('apply'), changed)).toEqual({ kind: 'refused', why: 'another signature' });
  });

  test('a token once its job cannot run any more, and none before', async () => {
    const root = { ...aJob().root, timeoutMs: { plan: 24 * HOUR_MS, apply: HOUR_MS } };
    const token = await tokenFor(await withOrder({ ...aJob(), root }));

    // The longest job that there is, and still no longer than Google allows.
    const at = (ms: number) => tradeToken('google', trusting('plan'), token, Date.now() + ms);
    expect(await at(24 * HOUR_MS)).toMatchObject({ kind: 'traded' });
    expect(await at(25 * HOUR_MS)).toEqual({ kind: 'refused', why: 'an expired token' });
  });

  test('a root of another directory that calls itself the same, by the audience that the server gives to its own', async () => {
    const root = { ...aJob().root, dir: 'dev' };
    const token = await tokenFor(await withOrder({ ...aJob(), root }));

    expect(await tradeToken('aws', trusting('plan'), token)).toEqual({ kind: 'refused', why: 'the audience dev' });
  });
});

describe('a subject has no part that somebody smuggled in', () => {
  test.each(['a:phase:apply', 'a/b', 'a b', '', 'a\n', 'ä', 'a'.repeat(101)])('%j is no name', (name) => {
    expect(() => subjectOf({ owner: 'acme', name: 'infra' }, name, 'plan')).toThrow(/expected a name of letters/);
    expect(() => subjectOf({ owner: 'acme', name }, 'network', 'plan')).toThrow(/expected a name of letters/);
  });

  test('not even of a root that intake ordered', async () => {
    const job = await withOrder({ ...aJob(), root: { ...aJob().root, name: 'network:phase:apply' } });

    await expect(tokenFor(job)).rejects.toThrow(/expected a name of letters/);
  });
});

describe('control says what is missing', () => {
  test('where the server gives this root no identity', async () => {
    const job = await withOrder({ ...aJob(), root: { ...aJob().root, dir: 'elsewhere' } });

    await expect(tokenFor(job)).rejects.toMatchObject({
      code: 'NO_IDENTITY',
      message: expect.stringContaining('for the root network in elsewhere'),
    });
  });

  test('where it has no key', async () => {
    const job = await withOrder(aJob());

    await expect(tokenFor(job, { ...control, issuer: undefined })).rejects.toMatchObject({
      code: 'NO_IDENTITY_KEY',
      message: expect.stringContaining('expected IDENTITY_KEY and IDENTITY_ISSUER'),
    });
  });
});

test('the directory of a root behind a link is where its code is', async () => {
  const root = { ...aJob().root, realDir: 'network/real' };
  const job = await withOrder({ ...aJob(), root });

  const { value } = (await issueIdentityToken(control, { version: 1, order: job.order })).token;

  const directory = { ...trusting('plan'), claims: { directory: 'network/real' } };
  expect(await tradeToken('google', directory, value)).toMatchObject({ kind: 'traded' });
});

function subject(phase: string): string {
  return `repository:acme/infra:root:network:phase:${phase}`;
}

function trusting(phase: string): Trust {
  return { issuer: issuer.url, audience: 'nereid', subject: subject(phase) };
}

async function tokenFor(job: HostJob | ApplyJob, context = control): Promise<string> {
  const { order } = job;
  const apply = 'go' in job && { go: job.go, ...(job.review && { review: job.review }) };
  return (await issueIdentityToken(context, { version: 1, order, ...(apply && { apply }) })).token.value;
}

/** With another permission, and the signature of its own. */
function permitting(job: ApplyJob, more: Partial<Go>): ApplyJob {
  return { ...job, go: { ...job.go, body: { ...job.go.body, ...more } } };
}

/** With another order, and the signature of its own. */
function ordering(job: ApplyJob, change: (order: Order) => Partial<Order>): ApplyJob {
  return { ...job, order: { ...job.order, body: { ...job.order.body, ...change(job.order.body) } } };
}

function later(ms: number): string {
  return new Date(Date.now() + ms).toISOString();
}

async function applying(job: TestJob): Promise<Applying & Pick<Go, 'hostId'>> {
  return Promise.resolve({ ...job, digest: DIGEST, hostId: 'h1' });
}

async function anApply({ by }: { readonly by?: string } = {}): Promise<ApplyJob> {
  const job = await applying(await withOrder(aJob()));
  return withGo(by === undefined ? job : { ...job, review: await aReview(job, by) });
}

function changed({ review }: ApplyJob, more: Partial<PlanReview>): Signed<PlanReview> {
  if (review === undefined) throw new Error('expected an apply that was confirmed');
  return { ...review, body: { ...review.body, ...more } };
}

function aReview(
  { deploymentId, digest }: Pick<Go, 'deploymentId' | 'digest'>,
  by: string,
): Promise<Signed<PlanReview>> {
  const { body } = aPress({ requestId: 'r', deploymentId, digest, by, at: later(0) });
  return testSignatures.enclose('decision/review', body);
}
