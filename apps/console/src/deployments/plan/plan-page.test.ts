import { describe, expect, test } from '@jest/globals';
import { NO_CHANGES, type PlanText } from '@nereid/domain/plan';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { aDeployment, aPlan } from '@nereid/domain/testing';
import { planTextDigest } from '@nereid/storage';
import { lettingIn } from '../../login/testing.ts';
import { aConsole, JOB, REPOSITORY, RUNNING, TOKEN, type Outside } from '../../testing.ts';

const LANE = 'lane=acme/infra/network';
const PAGE = `/deployments/${RUNNING.id}/plan?${LANE}`;

const resource = (name: string, ...lines: readonly string[]) =>
  `  # ${name} will be created\n  + resource "x" "y" {\n${lines.map((line) => `      + ${line}\n`).join('')}    }`;

const wholeText = (text: string): PlanText => ({ text, leftOut: 0, isShortened: false });

/** The page of a plan that has this text, with more room than there is on the forge. */
async function aPlanPage(text: string, outside: Partial<Outside> = { isLocal: true }) {
  const [short, whole] = [{ text: '', leftOut: 9, isShortened: true }, wholeText(text)];
  const summary = { ...NO_CHANGES, create: 1, resources: [], omitted: 0 };
  const plan = aPlan({ summary, textDigest: planTextDigest(short), wholeTextDigest: planTextDigest(whole) });
  const { progress } = aDeployment({ status: 'awaiting-review', plan, jobs: { plan: JOB } });
  const console = await aConsole({ ...outside, lane: { running: { ...RUNNING, progress } } });
  await console.logs.of(DEFAULT_POOL).planTexts.write(JOB.id, short);
  await console.logs.of(DEFAULT_POOL).wholePlanTexts.write(JOB.id, whole);
  return console;
}

const textOf = async (answer: Promise<Response>) => (await answer).text();

describe('the page of a plan', () => {
  test('finds a resource by a value of it, and says among how many', async () => {
    const { get } = await aPlanPage([resource('aws_x.a', 'size = 1'), resource('aws_x.b', 'size = 2')].join('\n\n'));

    const page = await textOf(get(`${PAGE}&text=size+%3D+2`));

    expect(page).toContain('1 of ');
    expect(page).toContain('id="plan-aws_x.b"');
    expect(page).not.toContain('id="plan-aws_x.a"');
    expect(page).toContain('<input type="hidden" name="lane" value="acme/infra/network" />');
  });

  test('of 5,000 resources has a hundred of them, few bytes and elements, and a way to the others', async () => {
    const names = Array.from({ length: 5_000 }, (_, index) => `module.m${index % 20}.aws_x.n${index}`);
    const lines = Array.from({ length: 12 }, (_, index) => `attribute_${index} = "${'v'.repeat(20)}"`);
    const { get } = await aPlanPage(names.map((name) => resource(name, ...lines)).join('\n\n'));

    const [first, last] = [await textOf(get(PAGE)), await textOf(get(`${PAGE}&module=module.m7&page=99`))];

    expect(first).toContain('page 1 of 50');
    expect(first).toContain('rel="next"');
    expect(Buffer.byteLength(first)).toBeLessThan(250_000);
    expect(first.match(/<[a-z]/g)?.length).toBeLessThan(3_000);
    expect(last).toContain('page 3 of 3');
    expect(last).toContain('id="plan-module.m7.aws_x.n4987"');
  });

  test('opens at the resource of a link, wherever that is, and whatever the filter', async () => {
    const names = Array.from({ length: 250 }, (_, index) => `aws_x.n[${String(index).padStart(3, '0')}]`);
    const { get } = await aPlanPage(names.map((name) => resource(name)).join('\n\n'));

    const page = await textOf(get(`${PAGE}&text=n%5B001%5D&at=aws_x.n%5B205%5D`));

    expect(page).toContain('page 3 of 3');
    expect(page).toContain('<details class="resource" id="plan-aws_x.n%5B205%5D"  open>');
    expect(page).toContain(
      'href="plan?lane=acme%2Finfra%2Fnetwork&amp;at=aws_x.n%5B205%5D#plan-aws_x.n%5B205%5D" aria-label="Link to aws_x.n[205]"',
    );
  });

  test('opens the resource of a check run, which cuts a long address', async () => {
    const address = `aws_x.a["${'k'.repeat(300)}"]`;
    const { get } = await aPlanPage([resource('aws_x.b'), resource(address)].join('\n\n'));

    const page = await textOf(get(`${PAGE}&at=${encodeURIComponent(`${address.slice(0, 199)}…`)}`));

    expect(page).not.toContain('No resource of this plan is called');
    expect(page).toContain(`id="plan-${encodeURIComponent(address)}"  open>`);
  });

  test('says so where the resource of a link is not in the plan', async () => {
    const { get } = await aPlanPage(resource('aws_x.a'));

    expect(await textOf(get(`${PAGE}&at=aws_x.b`))).toContain(
      'No resource of this plan is called <code>aws_x.b</code>.',
    );
  });

  test('has what was and what is to be side by side, and keeps to that', async () => {
    const { get } = await aPlanPage(resource('aws_x.a', 'size = 1'));

    const page = await textOf(get(`${PAGE}&view=split`));

    expect(page).toContain('<th scope="col">Before</th>');
    expect(page).toContain('<input type="hidden" name="view" value="split" />');
    expect(page).toContain('href="plan?lane=acme%2Finfra%2Fnetwork&amp;view=split&amp;action=create"');
    expect(page).toContain('<a href="plan?lane=acme%2Finfra%2Fnetwork&amp;page=1">In one column</a>');
  });

  test('is folded on the page of its deployment, which links to it', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `aws_x.n${index}`);
    const { get } = await aPlanPage(names.map((name) => resource(name)).join('\n\n'));

    const page = await textOf(get(`/deployments/${RUNNING.id}?${LANE}`));

    expect(page.match(/class="resource"/g)).toHaveLength(50);
    expect(page).toContain(`href="${RUNNING.id}/plan?lane=acme%2Finfra%2Fnetwork">the whole plan</a>`);
  });

  test('says what is missing where storage has another text', async () => {
    const { get, logs } = await aPlanPage(resource('aws_x.a'));
    await logs.of(DEFAULT_POOL).wholePlanTexts.write(JOB.id, wholeText('another'));

    expect(await textOf(get(PAGE))).toContain('cannot be read now');
  });

  test('of a root that a merge removes says what stays, and that nothing destroys it', async () => {
    const { get, pullRequests } = await aConsole({ isLocal: true });
    const resources = [{ address: 'aws_db_instance.main', action: 'forget' }] as const;
    const plan = aPlan({ summary: { ...NO_CHANGES, forget: 1, resources, omitted: 0 } });
    const [headSha, baseSha] = ['a'.repeat(40), 'b'.repeat(40)];
    const preview = { headSha, baseSha, expiresAt: '2026-01-31T15:00:00.000Z', isRemoval: true } as const;
    const deployment = { ...aDeployment({ status: 'planned', plan, jobs: { plan: JOB } }), preview };
    await pullRequests.openPreview({
      version: 1,
      repository: REPOSITORY,
      deployment: { ...deployment, trigger: 'preview' },
    });

    const page = await textOf(get(PAGE));

    expect(page).toContain('Removes the root: 1 resource stays, nothing destroys it');
    expect(page).toContain('To destroy the resources, first merge a change that removes them');
    expect(page).toContain('<li><code>aws_db_instance.main</code></li>');
    expect(page).not.toContain('cannot be read now');
  });

  test('is not there before there is a plan', async () => {
    const { get } = await aConsole({ isLocal: true, lane: { running: RUNNING } });

    const answer = await get(PAGE);

    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('This deployment has no plan');
  });

  test('has no markup of a value', async () => {
    const { get } = await aPlanPage(resource('aws_x.a["<script>"]', 'a = "<img src=x>" -> "</pre>"'));

    const page = await textOf(get(`${PAGE}&text=%3Cscript%3E`));

    expect(page).not.toMatch(/<script>|<img src=x>/);
  });
});

describe('people who may not see a deployment', () => {
  test.each(['plan', `compare/${RUNNING.id}`])('do not see its %s', async (path) => {
    const login = { policy: undefined, askAccess: lettingIn(() => false) };
    const { get } = await aPlanPage(resource('aws_x.a'), { login });

    const answer = await get(`/deployments/${RUNNING.id}/${path}?${LANE}`, { authorization: `Bearer ${TOKEN}` });

    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain('aws_x.a');
  });

  test('but have its link see its plan, and no other one', async () => {
    const { get, pathOf } = await aPlanPage(resource('aws_x.a'), {});

    const page = await get(pathOf(RUNNING.id).replace('?', '/plan?'));
    const other = await get(pathOf(RUNNING.id).replace('?', `/compare/${RUNNING.id.replace('3', '4')}?`));

    expect([page.status, other.status]).toEqual([200, 404]);
    expect(await page.text()).toContain('id="plan-aws_x.a"');
  });
});
