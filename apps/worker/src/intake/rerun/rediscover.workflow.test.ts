import { afterEach, describe, expect, test } from '@jest/globals';
import { CONFIG_CHECK_RUN_NAME } from '@nereid/domain/deployment';
import type { FileChanges } from '@nereid/github-stand-in';
import { intakeStageOfThisFile } from '../testing/intake-stage.ts';
import { BACKEND } from '../testing/staged-repository.ts';

const stage = intakeStageOfThisFile();

/** Nothing was asked of GitHub that it would not understand. */
afterEach(() => stage.standIn.assertNoRefusedRequests());

/** A revision whose configuration was refused when it was pushed. */
async function aRefusedRevision(files: FileChanges) {
  const infra = await stage.repository({ 'README.md': '' });
  const sha = await infra.commit(files);
  const content = { name: CONFIG_CHECK_RUN_NAME, externalId: '', summary: 'Each problem.' };
  return { infra, sha, checkRun: await infra.ownCheckRun('', sha, content) };
}

describe('Re-run of nereid/config', () => {
  test('deploys what the revision modifies, once its configuration is accepted', async () => {
    const { infra, sha, checkRun } = await aRefusedRevision({ 'network/main.tf': BACKEND });

    const result = await stage.deliver(infra.reruns(checkRun));

    expect(result).toMatchObject({ kind: 'signalled', workflows: [infra.lane('network').id] });
    expect(infra.shown(checkRun)).toMatchObject({ conclusion: 'success' });
    expect(await infra.lane('network').deployments()).toMatchObject([
      { trigger: 'manual', rerun: true, revision: { sha }, requestedBy: 'wim' },
    ]);
  });

  test('brings what the pushes before it could not', async () => {
    const infra = await stage.repository({ 'README.md': '' });
    const start = await infra.head();
    const first = await infra.commit({ 'nereid.yaml': 'version: 7\n', 'network/main.tf': BACKEND });
    await stage.deliver(infra.pushes(start, first));
    const sha = await infra.commit({ 'nereid.yaml': null, 'database/main.tf': BACKEND });
    const content = { name: CONFIG_CHECK_RUN_NAME, externalId: '', summary: 'Each problem.' };

    const result = await stage.deliver(infra.reruns(await infra.ownCheckRun('', sha, content)));

    expect(result.workflows.toSorted()).toEqual([infra.lane('database').id, infra.lane('network').id]);
  });

  test('also when all of the suite is re-run', async () => {
    const { infra, sha } = await aRefusedRevision({ 'network/main.tf': BACKEND });

    const result = await stage.deliver(infra.rerunsAll(sha));

    expect(result).toMatchObject({ kind: 'signalled', workflows: [infra.lane('network').id] });
  });

  test('lists the problems again on the same check run while there are any', async () => {
    const { infra, checkRun } = await aRefusedRevision({ 'nereid.yaml': 'version: 7\n' });

    const result = await stage.deliver(infra.reruns(checkRun));

    expect(result.kind).toBe('refused');
    expect(infra.checkRuns()).toHaveLength(1);
    expect(infra.shown(checkRun)).toMatchObject({ conclusion: 'failure' });
    expect(infra.shown(checkRun)?.output.summary).toContain('nereid.yaml:1 version');
  });

  test('deploys no root where one takes more than the person has, and names it', async () => {
    const { infra, checkRun } = await aRefusedRevision({ 'network/main.tf': BACKEND, 'guarded/main.tf': BACKEND });

    const result = await stage.deliver(infra.reruns(checkRun, 'wim'));

    expect(result).toMatchObject({ kind: 'refused', workflows: [] });
    expect(result.sentence).toMatch(/^no root is re-run: @wim may not re-run this: .* \(guarded\)$/);
    expect(infra.shown(checkRun)).toMatchObject({ conclusion: 'failure' });
    expect(infra.shown(checkRun)?.output.summary).toMatch(
      /^> \[!WARNING]\n> no root is .*\(guarded\)\n\nEach problem\.$/,
    );
    expect(await infra.lane('network').view()).toBeUndefined();
  });

  test('deploys them all for somebody whom every root lets', async () => {
    const { infra, checkRun } = await aRefusedRevision({ 'network/main.tf': BACKEND, 'guarded/main.tf': BACKEND });

    const result = await stage.deliver(infra.reruns(checkRun, 'ada'));

    expect(result.workflows.toSorted()).toEqual([infra.lane('guarded').id, infra.lane('network').id]);
  });

  test('is refused for a revision that is not on the branch', async () => {
    const { infra, checkRun } = await aRefusedRevision({ 'network/main.tf': BACKEND });
    const headSha = await infra.commit({ 'network/a.tf': '' }, 'feature');

    await stage.deliver(infra.reruns({ ...checkRun, headSha }));

    expect(infra.shown(checkRun)?.output.summary).toContain('only revisions on main can be re-run');
    expect(await infra.lane('network').view()).toBeUndefined();
  });

  test('is refused for a revision that is gone, and the check run stays failed', async () => {
    const { infra, checkRun } = await aRefusedRevision({ 'network/main.tf': BACKEND });

    await stage.deliver(infra.reruns({ ...checkRun, headSha: 'f'.repeat(40) }));

    expect(infra.shown(checkRun)).toMatchObject({ conclusion: 'failure' });
    expect(infra.shown(checkRun)?.output.summary).toContain('push the commit again');
  });
});
