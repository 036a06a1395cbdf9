import { afterEach, describe, expect, test } from '@jest/globals';
import type { ReviewExtension } from '@nereid/domain/plan';
import type { Signed } from '@nereid/domain/signed';
import { aDeployment, aPlan } from '@nereid/domain/testing';
import { testSignatures } from '../../testing/test-signatures.ts';
import { intakeStageOfThisFile } from '../testing/intake-stage.ts';

const DAY_MS = 86_400_000;

const stage = intakeStageOfThisFile();

afterEach(() => {
  stage.standIn.assertNoRefusedRequests();
});

async function aWaiting(expiresMs?: number) {
  const infra = await stage.repository({ 'README.md': '' });
  const workflow = await stage.deployment();
  const usual = aDeployment({ status: 'awaiting-review', plan: aPlan() });
  const review = expiresMs === undefined ? {} : { review: { count: 1, eachOf: [], expiresMs } };
  const waiting = {
    ...usual,
    id: workflow.id,
    root: { ...usual.root, ...review },
    revision: { ...usual.revision, sha: await infra.head() },
  };
  await infra.review(waiting);
  const request = { action: 'extend', rootName: waiting.root.name, deploymentId: waiting.id } as const;
  return { infra, workflow, waiting, request };
}

describe('somebody who may extend a review', () => {
  test.each([
    ['a week', undefined, 7 * DAY_MS],
    ['as long as its root says', 2 * DAY_MS, 2 * DAY_MS],
  ])('keeps it open for %s from the press on, in a message that control signed', async (_what, expiresMs, longMs) => {
    const { infra, workflow, waiting, request } = await aWaiting(expiresMs);

    const result = await stage.ask(infra, request);

    expect(result).toMatchObject({
      kind: 'signalled',
      sentence: expect.stringContaining('@wim extended the review of'),
    });
    const [[name, message] = []] = await workflow.signals();
    const { body } = await testSignatures.open('decision/extension', message as Signed<ReviewExtension>, {
      deploymentId: waiting.id,
    });
    expect(name).toBe('extend');
    expect(Date.parse(body.until) - Date.parse(body.at)).toBe(longMs);
    expect(body).toMatchObject({ by: 'wim', digest: waiting.progress.plan?.made.body.digest });
  });
});

describe('a review stays as it is', () => {
  test('for a person who may only read', async () => {
    const { infra, workflow, request } = await aWaiting();

    const result = await stage.ask(infra, request, { sender: 'rea' });

    expect(result).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('may not extend the review') });
    expect(await workflow.signals()).toEqual([]);
  });

  test('where no plan waits', async () => {
    const { infra, workflow, waiting, request } = await aWaiting();
    infra.reports(waiting.id, { ...waiting.progress, status: 'planning' });

    const result = await stage.ask(infra, request);

    expect(result).toMatchObject({ kind: 'refused', sentence: 'no plan of it waits for a review' });
    expect(await workflow.signals()).toEqual([]);
  });
});
