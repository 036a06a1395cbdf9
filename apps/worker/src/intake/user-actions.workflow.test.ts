import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { IntakeEvent, UserAction } from '@nereid/domain/intake';
import { aDeployment, aLock, aPlan } from '@nereid/domain/testing';
import { intakeStageOfThisFile } from './testing/intake-stage.ts';
import { BACKEND } from './testing/staged-repository.ts';

const ROOTS = { 'network/main.tf': BACKEND, 'guarded/main.tf': BACKEND, 'database/main.tf': BACKEND };

const stage = intakeStageOfThisFile();

/** Nothing was asked of GitHub that it would not understand. */
afterEach(() => stage.standIn.assertNoRefusedRequests());

async function userActionsOf(event: IntakeEvent): Promise<readonly UserAction[] | undefined> {
  const { userActions } = await stage.deliver(event);
  return userActions?.map(({ body }) => body.action);
}

describe('an action on a check run', () => {
  async function aCheckRun(rootName = 'network') {
    const infra = await stage.repository(ROOTS);
    const { id: deploymentId } = await stage.deployment();
    const checkRun = await infra.ownCheckRun(rootName, await infra.head(), { externalId: deploymentId });
    return { infra, checkRun, about: { rootNames: [rootName], revision: checkRun.headSha, deploymentId } };
  }

  async function aReview() {
    const infra = await stage.repository(ROOTS);
    const { id: deploymentId } = await stage.deployment();
    const waiting = aDeployment({ status: 'awaiting-review', plan: aPlan() });
    const revision = { ...waiting.revision, sha: await infra.head() };
    const checkRun = await infra.review({ ...waiting, id: deploymentId, revision });
    return { infra, checkRun, about: { rootNames: ['network'], revision: checkRun.headSha, deploymentId } };
  }

  test('that is refused is audited with the sentence', async () => {
    const { infra, checkRun, about } = await aReview();

    expect(await userActionsOf(infra.presses(checkRun, 'confirm', 'rea'))).toEqual([
      { ...about, action: 'confirm', refusal: expect.stringMatching(/^@rea may not confirm this: it takes write/) },
    ]);
  });

  test('that its deployment judges is audited there', async () => {
    const { infra, checkRun } = await aReview();

    expect(await userActionsOf(infra.presses(checkRun, 'confirm'))).toBeUndefined();
  });

  test('is audited as unlocked, and as refused where nothing was locked', async () => {
    const { infra, checkRun, about } = await aCheckRun();
    const { deploymentId } = about;
    await infra.recordEnded({ ...aDeployment({ status: 'succeeded' }), id: deploymentId });
    await infra.lane('network').start({ lock: { ...aLock(), deploymentId } });

    expect(await userActionsOf(infra.presses(checkRun, 'unlock'))).toEqual([{ ...about, action: 'unlock' }]);
    expect(await userActionsOf(infra.presses(checkRun, 'unlock'))).toEqual([
      { ...about, action: 'unlock', refusal: expect.stringContaining('this lane is not locked') },
    ]);
  });

  test('is audited as re-run, and as refused while that is under way', async () => {
    const { infra, checkRun, about } = await aCheckRun();

    expect(await userActionsOf(infra.reruns(checkRun))).toEqual([{ ...about, action: 'rerun' }]);
    await infra.lane('network').deployments();
    expect(await userActionsOf(infra.reruns(checkRun))).toEqual([
      { ...about, action: 'rerun', refusal: expect.stringContaining('this revision is under way') },
    ]);
  });

  test('of Re-run all is audited for each root', async () => {
    const { infra, checkRun, about } = await aCheckRun();
    await infra.ownCheckRun('guarded', checkRun.headSha, { externalId: 'd2' });

    expect(await userActionsOf(infra.rerunsAll(checkRun.headSha))).toEqual(
      expect.arrayContaining([
        { ...about, action: 'rerun' },
        {
          action: 'rerun',
          rootNames: ['guarded'],
          revision: checkRun.headSha,
          deploymentId: 'd2',
          refusal: expect.stringContaining('it takes admin permission'),
        },
      ]),
    );
  });

  test('on the check run of a configuration is about no root in particular', async () => {
    const infra = await stage.repository({ ...ROOTS, 'nereid.yaml': 'version: 7' });
    const revision = await infra.head();
    const checkRun = await infra.ownCheckRun('', revision, { name: 'nereid/config', externalId: '' });

    expect(await userActionsOf(infra.reruns(checkRun))).toEqual([
      { action: 'rerun', rootNames: [], revision, refusal: expect.stringContaining('nereid.yaml has 1 problem') },
    ]);
  });

  test('whose refusal nobody can be told goes with the failure', async () => {
    const { infra, checkRun } = await aReview();

    const press = stage.deliver(infra.presses({ ...checkRun, id: 1 }, 'confirm', 'rea'));

    const refusal: unknown = expect.stringMatching(/^@rea may not confirm this/);
    const judged = { body: { action: { action: 'confirm', refusal } } };
    await expect(press).rejects.toMatchObject({ type: 'FORGE_REFUSED', details: [[judged]] });
  });
});

describe('a command', () => {
  async function aPullRequest() {
    const infra = await stage.repository(ROOTS);
    const opened = await infra.pullRequest({ 'network/a.tf': '' });
    return { infra, opened, about: { pullRequest: opened.number } };
  }

  test('is audited with the roots that it was accepted for', async () => {
    const { infra, opened, about } = await aPullRequest();

    expect(await userActionsOf(infra.says(opened, 'nereid apply network database'))).toEqual([
      { ...about, action: 'apply', rootNames: ['network', 'database'], revision: opened.headSha },
    ]);
  });

  test('and apart from them with those to which it was under way', async () => {
    const { infra, opened, about } = await aPullRequest();
    await stage.deliver(infra.says(opened, 'nereid apply'));
    await infra.lane('network').deployments();

    expect(await userActionsOf(infra.says(opened, 'nereid apply network database'))).toEqual([
      { ...about, action: 'apply', rootNames: ['network'], revision: opened.headSha, refusal: 'already under way' },
      { ...about, action: 'apply', rootNames: ['database'], revision: opened.headSha },
    ]);
  });

  test.each([
    ['nereid apply', 'rea', 'apply', [], /^@rea may not deploy this/],
    ['nereid apply nowhere', 'wim', 'apply', [], /nowhere/],
    ['nereid apply network guarded', 'wim', 'apply', ['network', 'guarded'], /admin permission .*\(guarded\)$/],
    ['nereid apply -f', 'wim', 'apply_force', ['network'], /it takes admin permission/],
    ['nereid unlock', 'wim', 'unlock', ['network'], /^not locked: network$/],
    ['nereid cancel', 'wim', 'cancel', ['network'], /^nothing ran when this was asked, .* waited: network$/],
  ])(
    'that is refused is audited as far as it was understood: %s by %s',
    async (line, sender, action, rootNames, why) => {
      const { infra, opened, about } = await aPullRequest();

      expect(await userActionsOf(infra.says(opened, line, sender))).toEqual([
        expect.objectContaining({ ...about, action, rootNames, refusal: expect.stringMatching(why) }),
      ]);
    },
  );

  test('is audited with each deployment that it cancels', async () => {
    const { infra, opened, about } = await aPullRequest();
    const times = { preparing: '2026-01-31T14:00:00.000Z' };
    const running = { ...aDeployment({ status: 'planning', times }), id: (await stage.deployment()).id };
    await infra.lane('network').start({ running });

    expect(await userActionsOf(infra.says(opened, 'nereid cancel network database'))).toEqual([
      {
        ...about,
        action: 'cancel',
        rootNames: ['database'],
        refusal: expect.stringMatching(/^nothing ran when this was asked, /),
      },
      {
        ...about,
        action: 'cancel',
        rootNames: ['network'],
        deploymentId: running.id,
        revision: running.revision.sha,
      },
    ]);
  });

  test('that asks for nothing of a root is not audited', async () => {
    const { infra, opened } = await aPullRequest();

    expect(await userActionsOf(infra.says(opened, 'nereid help'))).toBeUndefined();
  });
});

test('another attempt at the same delivery has the same actions', async () => {
  const infra = await stage.repository(ROOTS);
  const opened = await infra.pullRequest({ 'network/a.tf': '' });
  const delivery = randomUUID();

  const first = await stage.deliver(infra.says(opened, 'nereid apply'), { delivery });
  const second = await stage.deliver(infra.says(opened, 'nereid apply'), { delivery, attempt: 2 });

  expect(second.userActions).toEqual(first.userActions);
});
