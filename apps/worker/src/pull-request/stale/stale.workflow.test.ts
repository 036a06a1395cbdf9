/** Plans of pull requests that are out of date: what people see, and what they cannot confirm any more. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { openIntakeStage, type IntakeStage } from '../../intake/testing/intake-stage.ts';
import { stagePreview } from '../../intake/testing/staged-preview.ts';
import { BACKEND } from '../../intake/testing/staged-repository.ts';
import { tellOfDeployment } from '../tell-pull-requests.ts';
import { stagedPullRequests } from '../testing/staged-pull-requests.ts';

const ROOTS = { 'early/main.tf': BACKEND };

let stage: IntakeStage;

beforeAll(async () => {
  stage = await openIntakeStage();
});

afterEach(() => stage.standIn.assertNoRefusedRequests());

afterAll(() => stage.close());

/** A pull request whose plan is shown, and can be confirmed for its merge. */
async function planned(repository: 'planned' | 'blocked') {
  const infra = await stage.repository(ROOTS, 'acme', true, repository);
  const opened = await infra.pullRequest({ 'early/a.tf': '' });
  const pulls = stagedPullRequests(stage, infra);
  const { checkRun } = await stagePreview(stage, infra, opened);
  await pulls.changed(opened.number, 'opened');
  const shown = await pulls.shows(opened.headSha, 'Plan: 1 to add');
  expect(shown.conclusion).toBe('success');
  const confirm = () => stage.take(infra.presses(checkRun, 'merge', 'ada'));
  return { infra, pulls, opened, confirm };
}

describe.each([
  ['show', 'planned', 'success'],
  ['block', 'blocked', 'failure'],
] as const)('with stale: %s, nereid/plan', (_setting, repository, conclusion) => {
  test(`is a ${conclusion} until its root was deployed and planned again, and nobody can confirm the old plan`, async () => {
    const { infra, pulls, opened, confirm } = await planned(repository);
    const merged = (await infra.commit({ 'early/b.tf': '' })).slice(0, 7);
    await pulls.changed(opened.number);
    const outdated = await pulls.shows(opened.headSha, `Out of date: ${merged} was merged`);

    const refused = await confirm();
    await tellOfDeployment(stage.context, infra.repository, 'early');
    const again = await pulls.shows(opened.headSha, 'Out of date: planning again');

    expect([outdated.conclusion, again.conclusion]).toEqual([conclusion, conclusion]);
    const why = `${merged} was merged since and changes this root. It is planned again once that is deployed.`;
    expect(refused).toMatchObject({ kind: 'refused', sentence: expect.stringContaining(why) });
    for (const preview of await pulls.previews(opened.number)) await pulls.planned(preview);
    await pulls.changed(opened.number);
    expect(await pulls.shows(opened.headSha, 'No changes in 1 root')).toMatchObject({ conclusion: 'success' });
    expect(await confirm()).toMatchObject({ sentence: expect.stringContaining('a newer plan of this root was made') });
  });

  test(`is a ${conclusion} while nobody looks, and nobody can confirm its plan`, async () => {
    const { infra, pulls, opened, confirm } = await planned(repository);
    await infra.commit({ 'README.md': '' });
    const updatedAt = new Date(Date.now() - 15 * 24 * 3_600_000).toISOString();
    Object.assign(stage.standIn.pullRequest(infra.at(opened)), { updatedAt });

    await pulls.changed(opened.number);

    const title =
      conclusion === 'failure'
        ? 'May be out of date (at rest'
        : 'Plan: 1 to add, 0 to change, 0 to destroy, in 1 of 1 root (at rest';
    expect(await pulls.shows(opened.headSha, title)).toMatchObject({ conclusion });
    expect(await confirm()).toMatchObject({
      kind: 'refused',
      sentence: expect.stringContaining('this plan may be out of date'),
    });
  });
});
