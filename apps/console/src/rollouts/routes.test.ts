import { describe, expect, test } from '@jest/globals';
import type { ServerConfig } from '@nereid/config';
import type { WaitAtGate } from '@nereid/domain/deployment';
import type { WaveChecks } from '@nereid/domain/gates';
import { aDeployment, aPlan } from '@nereid/domain/testing';
import { encloseBody } from '@nereid/signature';
import { createRolloutRecords, createWaveCheckRecords } from '@nereid/storage';
import { CONTROL_KEYS, CONTROL_SIGNER } from '../stops/testing.ts';
import { aConsole, aControl, REPOSITORY, RUNNING } from '../testing.ts';

const ROLLOUT = `/rollouts/acme/infra/${RUNNING.revision.sha}`;

test('a merge has all its roots, those that ended and those under way', async () => {
  const statuses = new Map([[RUNNING.id, 'awaiting-review' as const]]);
  const console = await aConsole({ isLocal: true, lane: { running: RUNNING }, statuses });
  const applied = { added: 2, changed: 0, destroyed: 1, imported: 0 };
  const deployment = aDeployment({ status: 'succeeded', plan: aPlan(), applied });
  const ended = { ...deployment, id: 'applied', root: { ...deployment.root, name: 'database' } };
  const record = { version: 1, repository: REPOSITORY, endedAt: new Date().toISOString() } as const;
  await console.records.write({ ...record, deployment: ended });

  const list = await (await console.get('/rollouts')).text();
  const page = await (await console.get(ROLLOUT)).text();
  const plans = await (await console.get(`${ROLLOUT}/plans`)).text();

  expect(page).toContain(`href="${RUNNING.revision.sha}/plans"`);
  expect(plans).toContain('No plan of this revision waits for a person.'); // It only plans, as its lane says.
  expect(list).toContain(`href="rollouts/acme/infra/${RUNNING.revision.sha}"`);
  expect(list).toContain('1 to review');
  expect(page).toContain('lanes/acme/infra/database');
  expect(page).toContain('Waiting for a review');
  expect(page).toContain('Applied<span class="detail">2 added, 0 changed, 1 destroyed</span>');
});

test('roots that wait for each other are a picture, too', async () => {
  const console = await aConsole({ isLocal: true, lane: { running: RUNNING } });
  const deployment = aDeployment({ status: 'succeeded', plan: aPlan() });
  const ended = { ...deployment, id: 'applied', root: { ...deployment.root, name: 'database' } };
  await console.records.write({
    version: 1,
    repository: REPOSITORY,
    endedAt: new Date().toISOString(),
    deployment: ended,
  });
  const { sha } = RUNNING.revision;
  const without = await (await console.get(ROLLOUT)).text();
  const of = { version: 1, repository: REPOSITORY, revision: sha, orderedAt: new Date().toISOString() } as const;
  const roots = [
    { rootName: 'database', group: 0, dependsOn: ['network'], deploymentId: 'applied' },
    { rootName: 'network', group: 0, dependsOn: [], deploymentId: RUNNING.id },
  ];
  await createRolloutRecords(console.store).write({ ...of, id: `${sha}/one`, isRerun: false, roots });

  const page = await (await console.get(ROLLOUT)).text();
  const answer = await console.get(`/api/v1${ROLLOUT}`);

  expect(without).not.toContain('class="scroll graph"');
  expect(page).toContain('class="scroll graph"');
  expect(page).toContain('<title>database: Applied</title>');
  expect(page).toContain('<span class="detail">after network</span>');
  expect(await answer.json()).toMatchObject({
    deployments: expect.arrayContaining([expect.objectContaining({ rootName: 'database', waitsFor: ['network'] })]),
  });
});

test('the page of a merge that goes in waves says the wave of each root', async () => {
  const console = await aConsole({ isLocal: true, lane: { running: RUNNING } });
  const { sha } = RUNNING.revision;
  await createRolloutRecords(console.store).write({
    ...{ version: 1, repository: REPOSITORY, revision: sha, orderedAt: new Date().toISOString() },
    ...{ id: `${sha}/one`, isRerun: false },
    roots: [{ rootName: 'network', group: 0, dependsOn: [], deploymentId: RUNNING.id }],
    waves: [
      { name: 'canary', rootNames: ['database'], soakMs: 60_000 },
      { name: 'the <rest>', rootNames: ['network'], soakMs: 0 },
    ],
  });

  const page = await (await console.get(ROLLOUT)).text();
  const answer = await console.get(`/api/v1${ROLLOUT}`);

  expect(page).toContain('<span class="detail">wave 2 of 2 (the &lt;rest&gt;)</span>');
  expect(await answer.json()).toMatchObject({
    deployments: [{ rootName: 'network', wave: { name: 'the <rest>', number: 2, of: 2 } }],
  });
});

describe('a root that waits for a wave', () => {
  const progress = {
    ...RUNNING.progress,
    ...({ status: 'blocked', waitsFor: { gate: 'soak', who: ['skip_soak'], wave: 1 } } as const),
    reason: 'waits for wave 1 of 2 (canary): <dns>',
  };
  const waiting = { isLocal: true, lane: { running: { ...RUNNING, progress } } } as const;

  test('says so on the page of its merge, and that it plans no more', async () => {
    const page = await (await (await aConsole(waiting)).get(ROLLOUT)).text();

    expect(page).toContain('Blocked<span class="detail">Waits for wave 1 of 2 (canary): &lt;dns&gt;</span>');
    expect(page).not.toContain('still planning');
  });

  test('has a button that skips that wave, with a reason, for people who act', async () => {
    const { asked, requests } = aControl();
    const console = await aConsole({ ...waiting, requests });
    const page = await (await console.get(ROLLOUT)).text();
    const [, form = ''] = /(<form[^>]*id="act-skip_soak".*?<\/form>)/s.exec(page) ?? [];
    const hidden = Array.from(
      form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g),
      ([, name = '', value = '']) => [name, value] as const,
    );

    expect(form).toContain('name="reason" required');
    const answer = await fetch(`${console.url}/api/v1/repositories/acme/infra/skip-soak`, {
      method: 'POST',
      body: new URLSearchParams({ ...Object.fromEntries(hidden), reason: 'the metrics are fine' }),
    });

    expect(answer.status).toBe(200);
    const { sha: revision } = RUNNING.revision;
    expect(asked).toMatchObject([
      { request: { action: 'skip_soak', revision, wave: 1, reason: 'the metrics are fine' } },
    ]);
  });

  test('has none for people who only look', async () => {
    expect(await (await (await aConsole(waiting)).get(ROLLOUT)).text()).not.toContain('act-skip_soak');
  });
});

test('the page of a merge says which check halts it, what that found, and what resumes it', async () => {
  const said = 'its check <errors> failed once, at Sat 14:00 UTC, and answered 500';
  const progress = {
    ...RUNNING.progress,
    ...({ status: 'blocked', waitsFor: { gate: 'soak', who: ['rerun', 'skip_soak'] } } as const),
    reason: `is halted by wave 1 of 2 (canary): ${said}. A merged fix resumes it`,
  };
  const console = await aConsole({ isLocal: true, lane: { running: { ...RUNNING, progress } } });

  const page = await (await console.get(ROLLOUT)).text();
  const answer = await console.get(`/api/v1${ROLLOUT}`);

  const sentence = `The next wave ${progress.reason}.`;
  expect(page).toContain(`<p class="note warning" role="status">${sentence.replace('<errors>', '&lt;errors&gt;')}</p>`);
  expect(await answer.json()).toMatchObject({ halted: sentence });
});

describe('a merge whose first wave is deployed', () => {
  const { sha } = RUNNING.revision;
  const id = `${sha}/one`;
  const canary = { name: 'canary', rootNames: ['database'], soakMs: 3_600_000 };
  const rule = { name: 'errors <1>', everyMs: 60_000, failures: 3 };
  const waves = [{ name: 'canary', checks: [rule] }] as unknown as ServerConfig['waves']; // Nothing is asked of it here.

  async function openMerge(reason: string, waitsFor: Partial<WaitAtGate>, controlKeys = CONTROL_KEYS) {
    const soak = { gate: 'soak', who: [], wave: 1, ...waitsFor } as const;
    const progress = { ...RUNNING.progress, status: 'blocked', reason, waitsFor: soak } as const;
    const lane = { running: { ...RUNNING, progress } };
    const console = await aConsole({ isLocal: true, lane, controlKeys, waves });
    const deployed = aDeployment({ status: 'succeeded', plan: aPlan() });
    const deployment = { ...deployed, id: '0d4b4e7a-canary', root: { ...deployed.root, name: 'database' } };
    const now = new Date().toISOString();
    const of = { version: 1, repository: REPOSITORY } as const;
    await console.records.write({ ...of, endedAt: now, deployment });
    await createRolloutRecords(console.store).write({
      ...{ ...of, id, revision: sha, orderedAt: now, isRerun: false },
      roots: ['database', 'network'].map((rootName) => ({ rootName, group: 0, dependsOn: [], deploymentId: rootName })),
      waves: [canary, { name: 'the rest', rootNames: ['network'], soakMs: 0 }],
    });
    return console;
  }

  async function write({ store }: Awaited<ReturnType<typeof openMerge>>, state: WaveChecks['state'] = 'checking') {
    const { owner, name } = REPOSITORY;
    const at = new Date().toISOString();
    const results = [{ check: rule.name, at, failures: 1, answer: 'answered <500>' }];
    const about = { version: 1, repository: { owner, name }, rollout: id, wave: 1 } as const;
    const checks = await encloseBody(CONTROL_SIGNER, 'decision/wave-checks', {
      ...about,
      since: at,
      at,
      state,
      results,
    });
    await createWaveCheckRecords(store).write(checks, undefined);
  }

  const reason = 'waits for wave 1 of 2 (canary), which soaks until Sat 14:00 UTC; nereid/rollout says the rest';
  const who = ['operators', 'skip_soak'] as const;

  test('says how its checks stand, as control has signed it', async () => {
    const console = await openMerge(reason, { who });
    await write(console);

    const page = await (await console.get(ROLLOUT)).text();

    expect(page).toMatch(
      /<p class="note">The next wave waits for wave 1 of 2 \(canary\), which soaks until \w+ \d\d:\d\d UTC; the check errors &lt;1&gt; has failed 1 of 3 times: answered &lt;500&gt;\. It begins by itself once these checks have passed\./,
    );
  });

  test('says what its lanes say where nobody knows more', async () => {
    const said: unknown = expect.stringContaining(`The next wave ${reason}. It begins by itself`);
    const [unasked, unverified, over] = await Promise.all([
      openMerge(reason, { who }),
      openMerge(reason, { who }, []),
      openMerge(reason, { who }),
    ]);
    await write(unverified);
    await write(over, 'passed');

    for (const console of [unasked, unverified, over])
      expect(await (await console.get(`/api/v1${ROLLOUT}`)).json()).toMatchObject({ nextWave: said });
  });

  test('has the command that resumes it once a check has halted it', async () => {
    const console = await openMerge('is halted by wave 1 of 2 (canary): its check failed', { who: ['rerun'] });

    const page = await (await console.get(ROLLOUT)).text();

    expect(page).toContain(
      'The next wave is halted by wave 1 of 2 (canary): its check failed. In a terminal, nereid rerun 0d4b4e7a re-runs database.',
    );
  });
});
