import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Deployment, Notice, Presentation } from '@nereid/domain/deployment';
import type { Signed } from '@nereid/domain/signed';
import { aCancel, aMergeReview, aNotice, aPress, deploymentAt, progressAs, REPOSITORY } from '@nereid/domain/testing';
import { notingSignatures, testSignatures } from '../../../testing/test-signatures.ts';
import { withProvenEnding, withProvenWords } from './proven-words.ts';

const AT = '2026-01-31T14:00:00.000Z';
const REVIEW = aPress({ requestId: 'r1', digest: 'a1' });

let forged: string[];
let context: Parameters<typeof withProvenWords>[0];

beforeEach(() => {
  forged = [];
  context = { signatures: notingSignatures(forged) };
});

const shown = (presentation: Presentation) => withProvenWords(context, REPOSITORY, presentation);
const noticeOf = async (more: Omit<Presentation, 'deployment'>, deployment = deploymentAt(1)) =>
  (await shown({ deployment, ...more })).notice;

async function cancelled(by: string, signedFor = by, id = '1'): Promise<Deployment> {
  const signed = await testSignatures.enclose('decision/cancel', aCancel({ deploymentId: id, by: signedFor }).body);
  const progress = { ...progressAs('cancelled'), reason: `Cancelled by @${by}` };
  return { ...deploymentAt(1), cancellation: { ...signed, body: { ...signed.body, by } }, progress };
}

async function proofOf(more: Partial<Notice>): Promise<{ readonly kind: 'notice'; readonly notice: Signed<Notice> }> {
  return { kind: 'notice', notice: await testSignatures.enclose('decision/notice', aNotice(more).body) };
}

describe('a notice is shown', () => {
  test('that control signed for this deployment', async () => {
    const notice = '@rea may not confirm this';

    expect(await noticeOf({ notice, noticeProof: await proofOf({ sentence: notice }) })).toBe(notice);
    expect(forged).toEqual([]);
  });

  test('about an answer that intake signed', async () => {
    const review = await testSignatures.enclose('decision/review', REVIEW.body);
    const notice = '@grace pressed Confirm: that was for another plan.';

    expect(await noticeOf({ notice, noticeProof: { kind: 'review', review } })).toBe(notice);
    expect(forged).toEqual([]);
  });

  test('unless it is about another person than the one who answered', async () => {
    const review = await testSignatures.enclose('decision/review', REVIEW.body);

    const notice = '@officer pressed Confirm: that was for another plan.';
    expect(await noticeOf({ notice, noticeProof: { kind: 'review', review } })).toBeUndefined();
    expect(forged).toEqual(['decision/notice']);
  });

  test('about the person who asked for the end', async () => {
    const notice = '@carol asked for the end of this deployment.';

    expect(await noticeOf({ notice }, await cancelled('carol'))).toBe(notice);
    expect(forged).toEqual([]);
  });

  test.each([
    'A Confirm could not be checked, so it does not count. Press it again.',
    'The record of this root cannot be read.',
  ])('a notice that a workflow says by itself is shown, in these words: %s', async (notice) => {
    expect(await noticeOf({ notice })).toBe(notice);
    expect(forged).toEqual([]);
  });

  test('that a record cannot be read, but not why: that is in the log', async () => {
    const notice = 'The record of this root cannot be read: it is safe to press Confirm';

    expect(await noticeOf({ notice })).toBe('The record of this root cannot be read.');
    expect(forged).toEqual([]);
  });
});

describe('a notice is left out and counts as forged', () => {
  test.each(['\u200b@alice', '/@alice', '[@alice', '*@alice', 'Ask\u00a0@alice', '.@alice', '@\u200balice'])(
    'a notice that mentions a person behind other characters is left out and counts as forged: %j',
    async (who) => {
      expect(await noticeOf({ notice: `${who} has confirmed this` })).toBeUndefined();
      expect(forged).toEqual(['decision/notice']);
    },
  );

  test.each<[string, Omit<Presentation, 'deployment'>, string]>([
    ['that nobody signed', { notice: 'Ask @carol: she has confirmed this' }, 'decision/notice'],
    ['that nobody signed, although it names nobody', { notice: 'This is safe, press Confirm' }, 'decision/notice'],
    [
      'with a made-up signature',
      {
        notice: 'It is safe to confirm this',
        noticeProof: { kind: 'notice', notice: aNotice({ sentence: 'It is safe to confirm this' }) },
      },
      'decision/notice',
    ],
    [
      'about an answer that nobody gave',
      {
        notice: '@grace pressed Confirm: no',
        noticeProof: { kind: 'review', review: REVIEW },
      },
      'decision/review',
    ],
    [
      'about a cancellation that nobody asked for',
      { notice: '@carol asked for the end of this deployment.' },
      'decision/notice',
    ],
  ])('a notice %s is left out and counts as forged', async (_what, presentation, kind) => {
    expect(await noticeOf(presentation)).toBeUndefined();
    expect(forged).toEqual([kind]);
  });

  test('that control signed for another deployment, or with other words', async () => {
    const { notice } = await proofOf({ deploymentId: '2', sentence: 'It went well' });
    const other = { ...notice, body: { ...notice.body, sentence: 'Confirm this' } };

    expect(await noticeOf({ notice: 'It went well', noticeProof: { kind: 'notice', notice } })).toBeUndefined();
    const noticeProof = { kind: 'notice', notice: other } as const;
    expect(await noticeOf({ notice: 'Confirm this', noticeProof }, deploymentAt(2))).toBeUndefined();
    expect(forged).toEqual(['decision/notice', 'decision/notice']);
  });

  test('beside what control signed: its own words are shown', async () => {
    const noticeProof = await proofOf({ sentence: 'It went well' });

    expect(await noticeOf({ notice: 'Confirm this', noticeProof })).toBe('It went well');
  });
});

describe('the person who cancelled a deployment', () => {
  test('is named if control signed that they asked', async () => {
    const deployment = await cancelled('carol');

    expect((await shown({ deployment })).deployment).toEqual(deployment);
    expect(forged).toEqual([]);
  });

  test.each<[string, () => Promise<Deployment>]>([
    ['somebody else asked', () => cancelled('officer', 'carol')],
    ['they asked for the end of another deployment', () => cancelled('officer', 'officer', '2')],
    [
      'the reason names somebody else',
      async () => ({
        ...(await cancelled('carol')),
        progress: { ...progressAs('cancelled'), reason: 'Cancelled by @officer' },
      }),
    ],
    [
      'nobody is said to have asked',
      async () => ({ ...deploymentAt(1), progress: { ...progressAs('cancelled'), reason: 'Cancelled by @officer' } }),
    ],
  ])(
    'a person is not named as the one who cancelled where %s, neither on the check run nor in the record',
    async (_what, forge) => {
      const deployment = await forge();
      const record = {
        version: 1,
        repository: { owner: 'a', name: 'b', installationId: 1 },
        deployment,
        endedAt: AT,
      } as const;

      const ending = await withProvenEnding(context, { record, audits: [], deletesPlan: false });

      expect((await shown({ deployment })).deployment.progress.reason).toBeUndefined();
      expect(JSON.stringify(ending)).not.toContain('officer');
      expect(forged).toEqual(['decision/cancel', 'decision/cancel']);
    },
  );
});

describe('a reason', () => {
  const because = (deployment: Deployment, reason: string): Deployment => ({
    ...deployment,
    progress: { ...progressAs('cancelled'), reason },
  });

  test.each([
    'Cancelled  by @carol',
    'Cancelled\u00a0by @officer',
    'Cancelled\u200b by @officer',
    'Cancelled by \u200b@officer',
    'Cancelled by @carolofficer',
    'Cancelled by @carol. Cancelled by @officer',
    'Confirmed by @officer',
    'No host took it (/@officer)',
    'No host took it, says .@officer',
  ])('a reason that mentions a person who did not ask is left out and counts as forged: %j', async (reason) => {
    const deployment = reason.endsWith('by @carol') ? deploymentAt(1) : await cancelled('carol');

    expect((await shown({ deployment: because(deployment, reason) })).deployment.progress.reason).toBeUndefined();
    expect(forged).toEqual(['decision/cancel']);
  });

  test.each([
    'Cancelled  by @carol',
    'Cancelled by @carol. The host was lost',
    'Cannot fetch git@github.com:acme/infra: it is away',
    'Cannot fetch https://***@github.com/acme/infra: it is away',
    '@grace confirmed a plan of this before the merge, but grace may not confirm this',
  ])('a reason that mentions only the person who asked, or nobody, is shown: %j', async (reason) => {
    const reviewed = { review: aMergeReview({ by: 'grace' }) }; // The order, which is verified before, has it.
    const deployment = because({ ...(await cancelled('carol')), reviewed }, reason);

    expect((await shown({ deployment })).deployment.progress.reason).toBe(reason);
    expect(forged).toEqual([]);
  });
});
