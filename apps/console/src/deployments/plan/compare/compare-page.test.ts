import { describe, expect, test } from '@jest/globals';
import type { Deployment } from '@nereid/domain/deployment';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { aDeployment, aPlan } from '@nereid/domain/testing';
import { planTextDigest } from '@nereid/storage';
import { planParts } from '@nereid/texts';
import { aConsole, JOB, REPOSITORY, RUNNING } from '../../../testing.ts';
import { comparePlans } from './compare-plans.ts';

const OTHER = '44444444-0d4b-4e7a-9c55-1f0e6b7a2d90';
const OTHER_JOB = { ...JOB, id: '55555555-0d4b-4e7a-9c55-1f0e6b7a2d90' };
const LANE = 'lane=acme/infra/network';
const PAGE = `/deployments/${RUNNING.id}/compare/${OTHER}?${LANE}`;

const resource = (name: string, value: string) =>
  `  # ${name} will be created\n  + resource "x" "y" {\n      + a = ${value}\n    }`;
const BEFORE = [resource('aws_x.same', '1'), resource('aws_x.other', '"2026"'), resource('aws_x.gone', '1')].join(
  '\n\n',
);
const AFTER = [resource('aws_x.same', '1'), resource('aws_x.other', '"2027"'), resource('aws_x.new', '1')].join('\n\n');

async function twoPlans(before: string, after: string, ofOther: Partial<Deployment> = {}) {
  const of = (id: string, text: string, job: typeof JOB, status: 'awaiting-review' | 'rejected') => {
    const plan = aPlan({ textDigest: planTextDigest({ text, leftOut: 0, isShortened: false }) });
    return { ...aDeployment({ status, plan, jobs: { plan: job } }), id };
  };
  const running = of(RUNNING.id, after, JOB, 'awaiting-review');
  const console = await aConsole({ isLocal: true, lane: { running } });
  const { planTexts } = console.logs.of(DEFAULT_POOL);
  await planTexts.write(JOB.id, { text: after, leftOut: 0, isShortened: false });
  await planTexts.write(OTHER_JOB.id, { text: before, leftOut: 0, isShortened: false });
  const endedAt = new Date().toISOString();
  await console.records.write({
    version: 1,
    repository: REPOSITORY,
    deployment: { ...of(OTHER, before, OTHER_JOB, 'rejected'), ...ofOther },
    endedAt,
  });
  return console;
}

describe('two plans of one root', () => {
  test('are compared by resource: what is different, only here, only there, and the same', () => {
    const { changed, added, removed, same } = comparePlans(planParts(BEFORE), planParts(AFTER));

    expect(changed.map(({ name }) => name)).toEqual(['aws_x.other']);
    expect(added.map(({ name }) => name)).toEqual(['aws_x.new']);
    expect(removed.map(({ name }) => name)).toEqual(['aws_x.gone']);
    expect(same).toEqual(['aws_x.same']);
  });

  test('are compared by their outputs, and by what changed outside of Terraform', () => {
    const drift = 'Note: Objects have changed outside of Terraform\n\n  # aws_x.same has changed\n  ~ y';

    const { changed, added } = comparePlans(
      planParts(`${BEFORE}\n\nChanges to Outputs:\n  + a = 1`),
      planParts(`${BEFORE}\n\nChanges to Outputs:\n  + a = 2\n\n${drift}`),
    );

    expect(changed.map(({ name }) => name)).toEqual(['outputs of the root']);
    expect(added.map(({ name }) => name)).toEqual(['aws_x.same, outside of Terraform']);
  });

  test('are on a page, with the lines that differ, to which the page of the plan leads', async () => {
    const { get } = await twoPlans(BEFORE, AFTER);

    const plan = await (await get(`/deployments/${RUNNING.id}/plan?${LANE}`)).text();
    const page = await (await get(PAGE)).text();

    expect(plan).toContain(`href="compare/${OTHER}?lane=acme%2Finfra%2Fnetwork"`);
    expect(page).toContain('a = &quot;<em>2026</em>&quot;');
    expect(page).toContain('a = &quot;<em>2027</em>&quot;');
    expect(page).toMatch(/Only in this plan[^]*aws_x\.new[^]*Only before[^]*aws_x\.gone[^]*The same/);
  });

  const shaOf = (beginning: string) => beginning.padEnd(40, '0');
  const preview = { headSha: shaOf('def5678'), baseSha: shaOf('abc1234'), expiresAt: '2026-01-31T15:00:00.000Z' };

  test.each<[string, string, Partial<Deployment>]>([
    ['of a deployment', 'Deployment 44444444</a> of <code>', {}],
    ['of a pull request', 'Preview of #12</a> of <code>', { trigger: 'preview', pullRequest: 12, preview }],
    [
      'of going back after a failed apply',
      'Going back from def5678</a> to <code>',
      { trigger: 'preview', preview: { ...preview, reverts: { deploymentId: RUNNING.id, pullRequest: 41 } } },
    ],
  ])('say what each of them is, such as the plan %s', async (_what, says, ofOther) => {
    const { get } = await twoPlans(BEFORE, AFTER, ofOther);

    const page = await (await get(PAGE)).text();

    expect(page.replaceAll(/\s+/g, ' ')).toContain(says);
  });

  test('are named on the page of a deployment that could not use the plan which was confirmed before its merge', async () => {
    const press = { version: 1, requestId: 'p', rootName: 'network', pullRequest: 12, previewId: OTHER } as const;
    const of = { order: 'o', digest: 'd', tree: 't', lane: 'l' };
    const review = { ...press, ...of, by: 'grace', at: '2026-01-31T14:30:00.000Z' };
    const { progress } = aDeployment({ status: 'awaiting-review', plan: aPlan(), jobs: { plan: JOB } });
    const reviewed = { review: { body: review, signature: 's' } };
    const { get } = await aConsole({ isLocal: true, lane: { running: { ...RUNNING, progress, reviewed } } });

    const page = await (await get(`/deployments/${RUNNING.id}?${LANE}`)).text();

    expect(page).toContain('This is not the plan that @grace confirmed before the merge');
    expect(page).toContain(`href="${RUNNING.id}/compare/${OTHER}?lane=acme%2Finfra%2Fnetwork"`);
  });

  test('may be the same', async () => {
    const { get } = await twoPlans(BEFORE, BEFORE);

    expect(await (await get(PAGE)).text()).toContain('The two plans are the same, line by line.');
  });

  test('cannot be compared where the text of one is not there', async () => {
    const { get, logs } = await twoPlans(BEFORE, AFTER);
    await logs.of(DEFAULT_POOL).remove(OTHER_JOB.id);

    expect(await (await get(PAGE)).text()).toContain(`These plans cannot be compared: ${OTHER} has a plan whose text`);
  });

  test('are not found where one is not there', async () => {
    const { get } = await twoPlans(BEFORE, AFTER);

    expect((await get(PAGE.replace(OTHER, OTHER.replaceAll('4', '6')))).status).toBe(404);
  });
});
