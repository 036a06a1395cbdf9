/** People who press Confirm for merge at almost the same time, and writes that come late: the check run says who confirmed it. */
import { expect, jest, test } from '@jest/globals';
import { finishPreview } from '../../pull-request/end-preview.ts';
import { intakeStageOfThisFile } from '../testing/intake-stage.ts';
import { stagePreview, type StagedPreview } from '../testing/staged-preview.ts';
import { BACKEND, type StagedRepository } from '../testing/staged-repository.ts';

const stage = intakeStageOfThisFile();

interface Previewed extends StagedPreview {
  readonly infra: StagedRepository;
}

/** A pull request of wim with a plan. */
async function aPreview(): Promise<Previewed> {
  const infra = await stage.repository({ 'early/main.tf': BACKEND }, 'acme', true, 'planned');
  const opened = await infra.pullRequest({
    'early/main.tf': `${BACKEND}# wider`,
  });
  return { infra, ...(await stagePreview(stage, infra, opened)) };
}

const press = ({ infra, checkRun }: Previewed, by: string) => stage.deliver(infra.presses(checkRun, 'merge', by));

test.each(['wim', 'ada'])(
  'a plan that @ada confirms, and at the same time @%s, stays confirmed by @ada',
  async (second) => {
    const previewed = await aPreview();
    // The second press has read the record of the plan, and the first one is through before it goes on.
    const open = jest.spyOn(stage.context.mergeReviews, 'open');
    open.mockImplementationOnce(async (repository, review) => {
      await press(previewed, 'ada');
      return stage.context.mergeReviews.open(repository, review);
    });

    const refused = await press(previewed, second);

    open.mockRestore();
    expect(refused).toMatchObject({
      kind: 'refused',
      sentence: expect.stringContaining('@ada confirmed this plan'),
    });
    expect(previewed.infra.shown(previewed.checkRun)).toMatchObject({
      actions: [],
      output: {
        title: expect.stringMatching(/^Confirmed for merge by @ada/),
        summary: expect.stringContaining(`@${second} pressed Confirm for merge`),
      },
    });
  },
);

test('a confirmed plan stays so on the check run, also where a refusal of somebody else is written later', async () => {
  const previewed = await aPreview();
  const { status } = stage.context.forge;
  const update = jest.spyOn(status, 'update');
  update.mockImplementationOnce(async (...older) => {
    await press(previewed, 'ada');
    return status.update(...older);
  });

  await press(previewed, 'rea');

  update.mockRestore();
  expect(previewed.infra.shown(previewed.checkRun)).toMatchObject({
    output: {
      title: expect.stringMatching(/^Confirmed for merge by @ada/),
      summary: expect.stringContaining('@rea may not confirm'),
    },
  });
});

test('a confirmed plan stays so, also where the end of the preview is told once more', async () => {
  const previewed = await aPreview();
  const { infra, deployment } = previewed;
  const { pullRequestRecords } = stage.context;
  const record = await pullRequestRecords.readPreview(infra.repository, 'early', deployment.id);
  await press(previewed, 'ada');

  if (record === undefined) throw new Error('expected the record of a preview');
  await finishPreview(stage.context, {
    record: { endedAt: '', ...record },
    audits: [],
    deletesPlan: false,
  });

  const stored = await pullRequestRecords.readPreview(infra.repository, 'early', deployment.id);
  expect(stored?.deployment.confirmedForMerge).toMatchObject({ by: 'ada' });
});
