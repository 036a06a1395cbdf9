import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { Deployment } from '@nereid/domain/deployment';
import type { PullRequestLook, PullRequestRecord } from '@nereid/domain/pull-request';
import { aDeployment, aPlan } from '@nereid/domain/testing';
import { clockAt } from '../login/fixtures/clock.ts';
import { TOKEN } from '../login/testing.ts';
import { aConsole, LANE, REPOSITORY, type Outside } from '../testing.ts';

const ID = '3f2a8c1e-0d4b-4e7a-9c55-1f0e6b7a2d90';
const NUMBER = 12;
const KEYLESS = /[?&]key=[^&]*/;

afterEach(() => {
  jest.useRealTimers();
});

const LOOK: PullRequestLook = {
  isOpen: true,
  headSha: 'a'.repeat(40),
  baseBranch: 'main',
  at: '2026-01-31T14:02:00.000Z',
  previews: [{ rootName: 'network', deploymentId: ID }],
};

/** A console that knows a pull request with a preview of the root `network`. */
async function aConsoleWith(
  progress: Parameters<typeof aDeployment>[0],
  { outside = {}, ...record }: Partial<PullRequestRecord> & { readonly outside?: Outside } = {},
) {
  const console = await aConsole(outside);
  const deployment: Deployment = {
    ...aDeployment(progress),
    id: ID,
    trigger: 'preview',
    // A link lives for 90 days from then.
    receivedAt: new Date().toISOString(),
    root: { ...aDeployment(progress).root, steps: { plan: [{ kind: 'run', run: 'SECRET=1' }], apply: [] } },
  };
  await console.pullRequests.openPreview({ version: 1, repository: REPOSITORY, deployment });
  await console.pullRequests.change(REPOSITORY, { number: NUMBER }, () => {
    return { version: 1, repository: REPOSITORY, number: NUMBER, checkRuns: [], look: LOOK, ...record };
  });
  return console;
}

const planned = { status: 'planned', plan: aPlan() } as const;

describe('the page of a pull request’s plans', () => {
  test('shows them, and links to the page of each with its key', async () => {
    const { get, pullPathOf } = await aConsoleWith(planned);

    const response = await get(pullPathOf(NUMBER));
    const page = await response.text();
    const [, path] = /href="\.\.\/\.\.\/\.\.\/(deployments\/[^"#]+)"/.exec(page) ?? [];

    expect(response.status).toBe(200);
    expect(page).toContain('Plan: 2 to add, 1 to change, 2 to destroy, in 1 of 1 root');
    expect(page).toContain('aws_s3_bucket.old');
    expect((await get(`/${(path ?? '').replaceAll('&amp;', '&')}`)).status).toBe(200);
  });

  test('says who confirmed a plan for the merge, as soon as somebody did', async () => {
    const { get, pullPathOf, pullRequests } = await aConsoleWith(planned);
    const preview = {
      headSha: LOOK.headSha,
      baseSha: 'b'.repeat(40),
      expiresAt: LOOK.at,
      forMerge: { tree: 't', lane: 'never applied' },
    };
    const deployment = { ...aDeployment(planned), id: ID, trigger: 'preview' as const, preview };
    const ended = { version: 1, repository: REPOSITORY, endedAt: LOOK.at } as const;
    await pullRequests.writePreview({ ...ended, deployment });
    const before = await (await get(pullPathOf(NUMBER))).text();

    await pullRequests.writePreview({
      ...ended,
      deployment: { ...deployment, confirmedForMerge: { by: 'ada', at: LOOK.at } },
    });
    clockAt(2_000);
    const page = await (await get(pullPathOf(NUMBER))).text();

    expect(before).not.toContain('Confirmed for the merge');
    expect(page).toContain('Confirmed for the merge by @ada');
  });

  test('links to the same pages without a key for people who are logged in', async () => {
    const { get, pullPathOf } = await aConsoleWith(planned);
    const headers = { authorization: `Bearer ${TOKEN}` };

    const page = await (await get(pullPathOf(NUMBER).replace(KEYLESS, ''), headers)).text();

    expect(page).toMatch(/href="\.\.\/\.\.\/\.\.\/deployments\//);
    expect(page).not.toContain('key=');
  });

  test('can run nothing but our own script, and its address goes nowhere', async () => {
    const { get, pullPathOf } = await aConsoleWith(planned);

    const { headers } = await get(pullPathOf(NUMBER));

    expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('is not there without its key, and cannot be told from one that never was', async () => {
    const { get, pullPathOf } = await aConsoleWith(planned);
    const ofAnother = pullPathOf(13).replace('/13?', `/${NUMBER}?`);

    const pages = [await get(`${pullPathOf(NUMBER)}0`), await get(ofAnother), await get(pullPathOf(99))];
    const texts = await Promise.all(pages.map((page) => page.text()));

    expect(pages.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(texts).size).toBe(1);
  });

  test('says of a link without a key why it opens nothing, whatever it names', async () => {
    const { get, pullPathOf } = await aConsoleWith(planned);
    const paths = [pullPathOf(NUMBER), pullPathOf(99)].map((path) => path.replace(KEYLESS, ''));

    const pages = await Promise.all([...paths, '/pulls/acme/infra/x'].map((path) => get(path)));
    const texts = await Promise.all(pages.map((page) => page.text()));

    expect(pages.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain('This link holds no key');
  });

  test.each(['acme/infra/0', 'acme/infra/12x', 'acme/%2e%2e/12', '%3Cscript%3E/infra/12', 'acme/infra/-1'])(
    'is never that of %s',
    async (place) => {
      const { get, pullPathOf } = await aConsoleWith(planned);
      const path = pullPathOf(NUMBER).replace('acme/infra/12', place);

      expect((await get(path)).status).toBe(404);
    },
  );

  test('is not opened by the key of a deployment, nor opens one by its own', async () => {
    const { get, pathOf, pullPathOf } = await aConsoleWith(planned);
    const keyOf = (path: string) => new URLSearchParams(path.split('?')[1]).get('key') ?? '';

    const wrong = [
      await get(`/pulls/acme/infra/${NUMBER}?key=${keyOf(pathOf(ID))}`),
      await get(`/deployments/${ID}?lane=acme/infra/network&key=${keyOf(pullPathOf(NUMBER))}`),
    ];

    expect(wrong.map(({ status }) => status)).toEqual([404, 404]);
  });
});

describe('what the page says', () => {
  test('comes from the workflow of a plan that is under way', async () => {
    const progress = { status: 'preparing', waitsFor: 'host', reason: 'No slot is free', times: {}, jobs: {} } as const;
    const { get, pullPathOf } = await aConsoleWith({ status: 'queued' }, { outside: { progress } });

    const page = await (await get(pullPathOf(NUMBER))).text();

    expect(page).toMatch(/<span class="mood waiting">.*<\/svg> Waiting<\/span>/);
    expect(page).toContain('No slot is free');
    expect(page).toContain('data-ended="no"');
  });

  test.each<[string, Outside, string]>([
    ['Temporal', { isTemporalAway: true }, 'Temporal cannot be reached'],
    ['the workers', { areWorkersAway: true }, 'The workers do not answer'],
  ])('is the last known state when %s cannot be asked', async (_who, outside, sentence) => {
    const { get, pullPathOf } = await aConsoleWith({ status: 'queued' }, { outside });

    const page = await (await get(pullPathOf(NUMBER))).text();

    expect(page).toContain(sentence);
    expect(page).toContain('Under way');
  });

  test('lists the heads before, the newest first', async () => {
    const heads = [
      { headSha: 'd'.repeat(40), at: '2026-01-31T12:00:00.000Z', title: 'No changes in 1 root' },
      { headSha: 'e'.repeat(40), at: '2026-01-31T13:00:00.000Z' },
    ];
    const { get, pullPathOf } = await aConsoleWith(planned, { heads });

    const page = await (await get(pullPathOf(NUMBER))).text();

    expect(page.indexOf('eeeeeee')).toBeLessThan(page.indexOf('ddddddd'));
  });

  test('is that its plans may be out of date, where the check run says so', async () => {
    const remark = 'at rest for two weeks';
    const idle = { ...LOOK, notRenewed: 'idle', remark } as const;
    const pageOf = async (look: PullRequestLook) => {
      const { get, pullPathOf } = await aConsoleWith(planned, { look });
      return (await get(pullPathOf(NUMBER))).text();
    };

    expect(await pageOf({ ...idle, blocksStale: true })).toContain(`<strong>May be out of date (${remark})</strong>`);
    expect(await pageOf(idle)).toContain(`in 1 of 1 root (${remark})</strong>`);
  });

  test.each([
    ['a plan made again is out of date', 'No changes in 1 root', {}, 'Out of date: planning again'],
    ['the first plan after a verdict is none made again', 'Conflicts', { isVerdict: true }, 'Planning 1 root'],
  ])('is what the check run says: %s', async (_rule, title, verdict, headline) => {
    const { get, pullPathOf } = await aConsoleWith(
      { status: 'planning' },
      { shown: { digest: 'd', title, conclusion: 'failure', ...verdict } },
    );

    expect(await (await get(pullPathOf(NUMBER))).text()).toContain(`<strong>${headline}</strong>`);
  });

  test('is over once the pull request is closed, and has its last plans as long as they are kept', async () => {
    const { get, pullPathOf } = await aConsoleWith(planned, {
      look: { ...LOOK, isOpen: false, previews: [] },
      lastPreviews: [...LOOK.previews, { rootName: 'gone', deploymentId: 'gone' }],
      shown: { digest: 'd', title: 'Plan: 2 to add' },
    });

    const page = await (await get(pullPathOf(NUMBER))).text();

    expect(page).toContain('data-ended="yes"');
    expect(page).toContain('<strong>Plan: 2 to add</strong>');
    expect(page).toContain('aws_s3_bucket.old');
    expect(page).not.toContain('gone');
  });

  test('is that storage cannot be read, and never that there is no such pull request', async () => {
    const { get, pullPathOf, store } = await aConsoleWith(planned);
    await store.put(`pulls/acme/infra/${NUMBER}.json`, Buffer.from('{'));

    const page = await get(pullPathOf(NUMBER));
    const problem = await get(`/api/v1${pullPathOf(NUMBER)}`);

    expect([page.status, problem.status]).toEqual([503, 503]);
    expect(await page.text()).toContain('Storage did not answer');
    expect(problem.headers.get('content-type')).toContain('application/problem+json');
  });

  test('is which plan storage cannot be asked for, beside the others', async () => {
    const { get, pullPathOf, store } = await aConsoleWith(planned);
    await store.put(`previews/acme/infra/network/${ID}.json`, Buffer.from('{'));

    const page = await (await get(pullPathOf(NUMBER))).text();

    expect(page).toContain('The storage cannot be read in full');
    expect(page).toContain('Cannot be read');
  });

  test('is never a step or a permission of the server’s policy', async () => {
    const { get, pullPathOf } = await aConsoleWith(planned);

    const answers = await Promise.all([
      get(pullPathOf(NUMBER)),
      get(pullPathOf(NUMBER).replace('?', '/fragment?')),
      get(`/api/v1${pullPathOf(NUMBER)}`),
    ]);
    const texts = await Promise.all(answers.map((answer) => answer.text()));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(texts.join('\n')).not.toMatch(/SECRET|steps|permissions/);
    expect(JSON.parse(texts[2] ?? '')).toMatchObject({ pull: LANE_PULL, previews: [{ rootName: 'network' }] });
  });
});

const LANE_PULL = { owner: LANE.owner, name: LANE.name, number: NUMBER };
