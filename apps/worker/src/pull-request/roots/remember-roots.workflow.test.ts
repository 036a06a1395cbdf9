/** Of which roots a pull request has previews: real git and Temporal, and no host. */
import { expect, test } from '@jest/globals';
import { intakeStageOfThisFile } from '../../intake/testing/intake-stage.ts';
import { BACKEND } from '../../intake/testing/staged-repository.ts';
import { syncPullRequest } from '../sync-pull-request.ts';

const ROOTS = { 'network/main.tf': BACKEND, 'database/main.tf': BACKEND };

const stage = intakeStageOfThisFile();

/** A pull request at which nobody looks but the test. */
async function previewed() {
  const infra = await stage.repository(ROOTS, 'acme', true, 'planned');
  const { repository } = infra;
  const opened = await infra.pullRequest({ 'network/a.tf': '' });
  const { number } = opened;
  const records = stage.context.pullRequestRecords;
  await records.change(repository, { number }, () => ({ version: 1, repository, number, checkRuns: [] }));
  const sync = (context = stage.context) =>
    syncPullRequest({ context, signal: new AbortController().signal }, repository, { number }, []);
  await sync();
  expect(await records.withRoot(repository, 'network', 10)).toEqual([number]);
  return { infra, repository, opened, number, records, sync };
}

test('a root that is no longer touched is forgotten, also by the attempt after one that failed', async () => {
  const { infra, repository, opened, number, records, sync } = await previewed();
  await infra.commit({ 'network/a.tf': null, 'database/a.tf': '' }, opened.branch);
  const forget = () => Promise.reject(new Error('storage is away'));

  await expect(sync({ ...stage.context, pullRequestRecords: { ...records, forget } })).rejects.toThrow('is away');
  await sync();

  expect(await records.withRoot(repository, 'network', 10)).toEqual([]);
  expect(await records.withRoot(repository, 'database', 10)).toEqual([number]);
});

test('a pull request that is closed is forgotten, also of roots of which its record says nothing', async () => {
  const { infra, repository, opened, number, records, sync } = await previewed();
  await records.remember(repository, 'database', number);
  Object.assign(stage.standIn.pullRequest(infra.at(opened)), { state: 'closed' });

  await sync();

  expect(await records.withRoots(repository)).toEqual(new Set());
});
