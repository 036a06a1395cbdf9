import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { Secret } from '@nereid/config';
import type { Presentation } from '@nereid/domain/deployment';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { aDeployment, aPlan } from '@nereid/domain/testing';
import { planTextDigest } from '@nereid/storage';
import { intakeStageOfThisFile } from '../../intake/testing/intake-stage.ts';
import type { StagedRepository } from '../../intake/testing/staged-repository.ts';
import { showCheckRuns } from './show-check-runs.ts';

const stage = intakeStageOfThisFile();

afterEach(() => {
  stage.standIn.faults.clear();
});

/** Deployments of the head of a repository, one a root. An owner is an installation. */
async function deployments(
  count: number,
  owner = 'acme',
  isPrivate = true,
): Promise<[StagedRepository, readonly Presentation[]]> {
  const repository = await stage.repository({ 'main.tf': '' }, owner, isPrivate);
  const sha = await repository.head();
  const all = Array.from({ length: count }, (_, index) => {
    const deployment = aDeployment({ status: 'planning' });
    const root = { ...deployment.root, name: `root-${index}` };
    return { deployment: { ...deployment, id: randomUUID(), root, revision: { ...deployment.revision, sha } } };
  });
  return [repository, all];
}

const aProgress = { status: 'awaiting-review', times: {} } as const;

const attempt = (startToCloseMs = 60_000) => ({ startToCloseMs, signal: new AbortController().signal });

const show = ({ repository }: StagedRepository, all: readonly Presentation[], startToCloseMs?: number) =>
  showCheckRuns(stage.context, repository, all, attempt(startToCloseMs));

/** GitHub's limit in these tests. */
const LIMITED_MS = 60_000;

/** The turns of those that wait are spread over some seconds after it. */
const SPREAD_MS = 5_000;

/** Writes of an installation that are on their way together. */
const AT_ONCE = 6;

const CREATE = /^POST .*check-runs/;

describe('of a batch of check runs', () => {
  test('one that GitHub refuses is told with its words, and the others are written', async () => {
    const [repository, all] = await deployments(3);
    stage.standIn.faults.add({ kind: 'refusal', status: 422, route: CREATE, body: /root-1"/ });

    const results = await show(repository, all);

    expect(results.map(({ kind }) => kind)).toEqual(['shown', 'refused', 'shown']);
    expect(results[1]).toMatchObject({ why: expect.stringContaining('Validation Failed') });
  });

  test('those of a repository that is gone are refused', async () => {
    const [repository, all] = await deployments(2);
    stage.standIn.faults.add({ kind: 'refusal', status: 404, route: CREATE });

    expect((await show(repository, all)).map(({ kind }) => kind)).toEqual(['refused', 'refused']);
  });

  test('those that meet a wrong key are worth another try: it is about us', async () => {
    const [repository, all] = await deployments(1);
    stage.standIn.faults.add({ kind: 'refusal', status: 401, route: CREATE });

    expect((await show(repository, all)).map(({ kind }) => kind)).toEqual(['failed']);
  });

  test('none is sent after GitHub limits one, and all say for how long', async () => {
    const [repository, all] = await deployments(20, 'limited');
    stage.standIn.resetTraffic();
    stage.standIn.faults.add({ kind: 'secondary rate limit', retryAfterS: LIMITED_MS / 1_000, route: CREATE });

    const results = await show(repository, all);

    const waits = results.map((result) => (result.kind === 'limited' ? result.retryAfterMs : undefined));
    expect(waits.every((waitMs) => waitMs !== undefined && waitMs > 0 && waitMs <= LIMITED_MS + SPREAD_MS)).toBe(true);
    expect(creates()).toBeLessThanOrEqual(AT_ONCE);
  });

  test('those that GitHub does not answer are answered before the attempt’s time is over', async () => {
    const [repository, all] = await deployments(10);
    stage.standIn.faults.add({ kind: 'slow', ms: 30_000, route: CREATE });

    const results = await show(repository, all, 2_000);

    expect(results.map(({ kind }) => kind)).toEqual(Array.from({ length: 10 }, () => 'failed'));
  });

  test('those that GitHub may still be at are tried again once it has given up, the others at once', async () => {
    const [{ repository }, all] = await deployments(10, 'unanswered');
    stage.standIn.resetTraffic();
    stage.standIn.faults.add({ kind: 'slow', ms: 30_000, route: CREATE });
    const abort = new AbortController();

    const showing = showCheckRuns(stage.context, repository, all, { startToCloseMs: 60_000, signal: abort.signal });
    while (stage.standIn.mostRequestsAtOnce() < AT_ONCE) await setTimeout(10);
    abort.abort();
    const results = await showing;

    const laterOnes = results.filter((result) => result.kind === 'failed' && result.retryAfterMs !== undefined);
    const unsent = results.filter((result) => result.kind === 'failed' && result.isUnsent === true);
    expect([laterOnes.length, unsent.length]).toEqual([AT_ONCE, all.length - AT_ONCE]);
  });

  test('one whose answer was lost is there once after the next try', async () => {
    const [repository, all] = await deployments(3);
    stage.standIn.faults.add({ kind: 'lost answer', route: CREATE, times: 2 });

    const first = await show(repository, all);
    const again = all.filter((_, index) => first[index]?.kind === 'failed');
    const second = await show(
      repository,
      again.map((one) => ({ ...one, creationUncertain: true })),
    );

    expect(again).toHaveLength(2);
    expect(second.map(({ kind }) => kind)).toEqual(['shown', 'shown']);
    expect(repository.checkRuns()).toHaveLength(3);
  });
});

test('a check run shows the text of its plan, and no text that another digest was signed for', async () => {
  const [repository, all] = await deployments(2);
  const text = { text: '  # aws_x.a will be destroyed', leftOut: 7, isShortened: false };
  const digests = [planTextDigest(text), 'b2'.repeat(32)];
  const planned = await Promise.all(
    all.map(async ({ deployment }, index) => {
      const job = { id: randomUUID(), startedAt: deployment.receivedAt };
      await stage.context.jobLogs.of(DEFAULT_POOL).planTexts.write(job.id, text);
      const plan = aPlan({ textDigest: digests[index] ?? '' });
      return { deployment: { ...deployment, progress: { ...aProgress, plan, jobs: { plan: job } } } };
    }),
  );

  const results = await show(repository, planned);

  expect(results.map(({ kind }) => kind)).toEqual(['shown', 'shown']);
  const { owner, name } = repository.repository;
  const shown = stage.standIn.checkRuns(`${owner}/${name}`).toSorted((a, b) => a.name.localeCompare(b.name));
  expect(shown.map(({ output }) => output.text)).toEqual([
    expect.stringMatching(/^ {2}# aws_x\.a will be destroyed\n```\n\n_The text of 7 resources is left out here\./m),
    expect.stringMatching(/^_Terraform's own text of this plan could not be read/),
  ]);
});

describe('the links of a check run', () => {
  const ASKED = /^GET \/repos\/[^/]+\/[^/]+$/;

  /** The links of what is written for two deployments of one repository. */
  async function linksOf(isPrivate: boolean, keyedRepositories: 'private' | 'all' = 'private') {
    const [{ repository }, all] = await deployments(2, 'acme', isPrivate);
    const { config } = stage.context;
    const links = { ...config.links, key: new Secret('of the links'), keyedRepositories };
    await showCheckRuns({ ...stage.context, config: { ...config, links } }, repository, all, attempt());
    return stage.standIn.checkRuns(`${repository.owner}/${repository.name}`).map(({ detailsUrl }) => detailsUrl);
  }

  const keyed = expect.stringMatching(/[?&]key=/);

  test('open its page where the repository is private', async () => {
    expect(await linksOf(true)).toEqual([keyed, keyed]);
  });

  test('carry no key where the repository is public: everybody in the world reads them', async () => {
    expect(await linksOf(false)).not.toContainEqual(keyed);
  });

  test('carry a key there, too, where an operator wants it', async () => {
    expect(await linksOf(false, 'all')).toEqual([keyed, keyed]);
  });

  test('carry no key while GitHub does not say what the repository is, and the check runs are written', async () => {
    stage.standIn.faults.add({ kind: 'refusal', status: 403, route: ASKED });

    const links = await linksOf(true);

    expect(links).toHaveLength(2);
    expect(links).not.toContainEqual(keyed);
  });
});

/** Requests that reached the stand-in. */
function creates(): number {
  const counts = stage.standIn.requestCounts().filter(({ route }) => CREATE.test(route));
  return counts.reduce((sum, { count }) => sum + count, 0);
}
