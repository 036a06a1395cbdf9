import { describe, expect, test } from '@jest/globals';
import { Secret } from '@nereid/config';
import type { DeploymentStatus } from '@nereid/domain/deployment';
import type { PullRequestLook, PullRequestRecord } from '@nereid/domain/pull-request';
import { deploymentAt, progressAs } from '@nereid/domain/testing';
import { intakeStageOfThisFile } from '../../intake/testing/intake-stage.ts';
import { BACKEND, type OpenedPullRequest, type StagedRepository } from '../../intake/testing/staged-repository.ts';
import { showPullRequest, type ShowAttempt } from './show.ts';

const stage = intakeStageOfThisFile();

const ID = '3f2a8c1e-0d4b-4e7a-9c55-1f0e6b7a2d90';

interface Shown {
  readonly repository: StagedRepository;
  readonly pull: OpenedPullRequest;
}

async function aPullRequest(isPrivate = true): Promise<Shown> {
  const repository = await stage.repository({ 'network/main.tf': BACKEND }, 'acme', isPrivate);
  return { repository, pull: await repository.pullRequest({ 'network/more.tf': '' }) };
}

/** Stores what a look has found, and shows it. */
async function show(
  { repository: { repository }, pull }: Shown,
  look: Partial<PullRequestLook>,
  record: Partial<PullRequestRecord> = {},
  attempt: Partial<ShowAttempt> = {},
): Promise<void> {
  const { number, headSha } = pull;
  const subject = { number, ...(record.group && { group: record.group.headSha }) };
  const at = new Date().toISOString();
  const found = { isOpen: true, headSha, baseBranch: 'main', at, previews: [], ...look };
  await stage.context.pullRequestRecords.change(repository, subject, (before) => {
    return { version: 1, repository, number, checkRuns: [], ...before, ...record, look: found };
  });
  const { signal } = new AbortController();
  const first = { isRetry: false, signal, onCheckRun: () => undefined };
  await showPullRequest(withKeyedLinks(), repository, subject, { ...first, ...attempt });
}

function withKeyedLinks() {
  const { config } = stage.context;
  const links = { ...config.links, key: new Secret('of the links') };
  return { ...stage.context, config: { ...config, links } };
}

/** A preview of a root, as it is now. Its title is what tells one from another. */
async function preview({ repository }: Shown, rootName: string, status: DeploymentStatus) {
  const deploymentId = `${rootName}-${ID}`;
  const receivedAt = new Date().toISOString();
  const planned = deploymentAt(1, { id: deploymentId, receivedAt, progress: progressAs(status, receivedAt) });
  const deployment = { ...planned, root: { ...planned.root, name: rootName } };
  await stage.context.pullRequestRecords.writePreview({ version: 1, repository: repository.repository, deployment });
  return { rootName, deploymentId };
}

const failed = { conclusion: 'failure', title: 'Conflicts with main: nothing was planned', lines: [] } as const;

const planCheckRun = ({ repository, pull }: Shown) =>
  repository.checkRuns().find(({ name, headSha }) => name === 'nereid/plan' && headSha === pull.headSha);

const firstLines = ({ repository, pull }: Shown) => repository.comments(pull).map((body) => body.split('\n')[0]);

function writesOf(what: RegExp): number {
  const isWrite = (route: string) => /^(POST|PATCH) /.test(route) && what.test(route);
  const writes = stage.standIn.requestCounts().filter(({ route }) => isWrite(route));
  return writes.reduce((sum, { count }) => sum + count, 0);
}

describe('the check run and the comment of a pull request', () => {
  test('link to the page with its plans, by the same address', async () => {
    const shown = await aPullRequest();

    await show(shown, { verdict: failed });

    const { number } = shown.pull;
    const { fullName } = shown.repository;
    const url = planCheckRun(shown)?.detailsUrl ?? '';
    expect(url).toMatch(new RegExp(`^http://127.0.0.1:4144/pulls/${fullName}/${number}\\?key=\\d+-[0-9a-f]{32}$`));
    expect(shown.repository.comments(shown.pull)[0]).toContain(`(${url})`);
  });

  test('of a public repository carry no key', async () => {
    const shown = await aPullRequest(false);

    await show(shown, { verdict: failed });

    expect(planCheckRun(shown)?.detailsUrl).toMatch(/\/pulls\/acme\/[\w-]+\/\d+$/);
    expect(shown.repository.comments(shown.pull)[0]).not.toContain('key=');
  });

  test('stay as they are once it is closed', async () => {
    const shown = await aPullRequest();
    await show(shown, { verdict: failed });

    await show(shown, { isOpen: false, verdict: { ...failed, title: 'Something else' } });

    expect(firstLines(shown)).toEqual([`### ${failed.title}`]);
    expect(planCheckRun(shown)?.output.title).toBe(failed.title);
  });

  test('are two things: a comment that GitHub refuses leaves the check run as it is', async () => {
    const shown = await aPullRequest();
    stage.standIn.faults.add({ kind: 'refusal', status: 403, route: /^POST .*comments/, times: 1 });

    await show(shown, { verdict: failed });

    expect(planCheckRun(shown)?.conclusion).toBe('failure');
    expect(firstLines(shown)).toEqual([]);
  });
});

test('a comment that has to wait does not have the check run written again', async () => {
  const shown = await aPullRequest();
  const digests: (string | undefined)[] = [];
  const onCheckRun = (digest?: string) => digests.push(digest);
  const heal = stage.standIn.faults.add({ kind: 'failure', status: 502, route: /^GET .*comments/ });
  await expect(show(shown, { verdict: failed }, {}, { onCheckRun })).rejects.toMatchObject({ status: 502 });
  heal();
  const before = writesOf(/check-runs/);

  await show(shown, { verdict: failed }, {}, { isRetry: true, checkRunDigest: digests.at(-1) });
  const after = writesOf(/check-runs/);
  await show(shown, { verdict: failed }, {}, { isRetry: true });

  expect(digests).toEqual([undefined, expect.any(String)]);
  expect(firstLines(shown)).toEqual([`### ${failed.title}`]);
  expect([after - before, writesOf(/check-runs/) - after]).toEqual([0, 1]);
});

describe('the comment', () => {
  test('says when a pull request is planned no more, and is not written for that', async () => {
    const [commented, other] = [await aPullRequest(), await aPullRequest()];
    await show(commented, { verdict: failed });

    for (const one of [commented, other]) await show(one, {});

    expect(firstLines(commented)).toEqual(['### No longer planned']);
    expect(firstLines(other)).toEqual([]);
  });

  test('is not written on behalf of a group of a merge queue', async () => {
    const shown = await aPullRequest();
    const { headSha } = shown.pull;
    const group = { headSha, branch: 'gh-readonly-queue/main/pr-1', requestedAt: new Date().toISOString() };

    await show(shown, { verdict: failed }, { group });

    expect(planCheckRun(shown)?.detailsUrl).toMatch(/\/pull\/\d+$/);
    expect(firstLines(shown)).toEqual([]);
  });

  test('is written once while plans are under way, and once when they are over', async () => {
    const shown = await aPullRequest();
    await show(shown, { verdict: failed });
    const before = writesOf(/comments/);

    const names = ['a', 'b', 'c'];
    const previews = await Promise.all(names.map((name) => preview(shown, name, 'planning')));
    await show(shown, { previews });
    for (const name of names) {
      await preview(shown, name, 'plan-failed');
      await show(shown, { previews });
    }

    expect(writesOf(/comments/) - before).toBe(2);
    expect(firstLines(shown)).toEqual(['### 3 of 3 roots could not be planned']);
  });
});
