import { describe, expect, test } from '@jest/globals';
import type { RootState, RootStatus } from '@nereid/domain/rollout';
import { renderRollout, type RolloutSubject } from './rollout-check-run.ts';

function aRoot(rootName: string, status: RootStatus, more: Partial<RootState> = {}): RootState {
  return {
    rootName,
    deploymentId: `of-${rootName}`,
    status,
    isCarried: false,
    waitsFor: { named: [], count: 0 },
    ...more,
  };
}

function rendered(
  roots: readonly RootState[],
  isLeft = false,
  waves: Partial<Pick<RolloutSubject, 'waves' | 'before'>> = {},
) {
  return renderRollout({
    headSha: 'a'.repeat(40),
    externalId: 'acme/infra@aaa',
    pageUrl: 'https://console.example/rollouts/acme/infra/aaa',
    urlOf: ({ deploymentId }) =>
      `https://console.example/deployments/${deploymentId}?lane=acme/infra/root&key=${'k'.repeat(80)}`,
    roots,
    isLeft,
    ...waves,
  });
}

describe('the check run of a rollout', () => {
  test('shows all roots in one table, the most urgent first', () => {
    const { title, summary, ...content } = rendered([
      aRoot('app', 'queued', { waitsFor: { named: ['network', 'dns', 'cluster', 'storage'], count: 1_000 } }),
      aRoot('network', 'succeeded'),
      aRoot('database', 'awaiting-review'),
      aRoot('dns', 'apply-failed'),
      aRoot('cache', 'skipped', { isCarried: true }),
      aRoot('cluster', 'ending'),
    ]);

    expect(content).toMatchObject({ name: 'nereid/rollout', status: 'in_progress', actions: [] });
    expect(title).toBe('6 roots: 1 to review, 1 failed, 1 at work, 1 waiting, 1 not applied, 1 done');
    const rows = summary.split('\n').filter((line) => line.startsWith('| ['));
    expect(rows.map((row) => row.replaceAll(/\]\([^)]*\)/g, ']'))).toEqual([
      '| [`database`] | ◉ Waiting for a review |',
      '| [`dns`] | ✗ Apply failed |',
      '| [`cluster`] | ● Ending |',
      '| [`app`] | ◷ Queued: waits for `network`, `dns`, `cluster` and 997 more |',
      '| [`cache`] | » Skipped: goes with a later revision |',
      '| [`network`] | ✓ Applied |',
    ]);
  });

  test.each<[string, readonly RootStatus[], string]>([
    ['success', ['succeeded', 'no-changes'], '2 roots: 2 done'],
    ['failure', ['succeeded', 'plan-failed'], '2 roots: 1 failed, 1 done'],
    ['neutral', ['succeeded', 'rejected'], '2 roots: 1 not applied, 1 done'],
  ])('ends with %s once all roots have ended', (conclusion, statuses, title) => {
    const content = rendered(statuses.map((status, index) => aRoot(`r${index}`, status)));

    expect(content).toMatchObject({ status: 'completed', conclusion, title });
  });

  test('says what its next wave waits for, and the wave of each root', () => {
    const waves = [
      { name: 'canary', rootNames: ['app'], soakMs: 60_000 },
      { name: 'the rest', rootNames: ['dns'], soakMs: 0 },
    ];
    const standing = { kind: 'halted', rootName: 'app', how: 'failed to apply' } as const;
    const before = { name: 'canary', number: 1, of: 2, soak: '1m', standing };
    const roots = [aRoot('app', 'apply-failed'), aRoot('dns', 'queued'), aRoot('web', 'succeeded')];

    const { title, summary } = rendered(roots, false, { waves, before });

    expect(title).toBe('3 roots: 1 failed, 1 waiting, 1 done, halted');
    expect(summary).toContain(
      'The next wave is halted by wave 1 of 2 (canary): app failed to apply. A merged fix of app,',
    );
    const rows = summary.split('\n').filter((line) => line.startsWith('| ['));
    expect(rows.map((row) => row.replaceAll(/\]\([^)]*\)/g, ']'))).toEqual([
      '| [`app`] | 1 | ✗ Apply failed |',
      '| [`dns`] | 2 | ◷ Queued |',
      '| [`web`] | – | ✓ Applied |',
    ]);
  });

  test('says which check of a wave failed, with its answer as it came', () => {
    const answer = 'found <b>, expected < 1';
    const standing = { kind: 'check-failed', check: 'errors', failures: 1, answer, said: 'Mon 12:30 UTC' } as const;
    const before = { name: 'canary', number: 1, of: 2, standing };

    const { title, summary } = rendered([aRoot('app', 'succeeded'), aRoot('dns', 'queued')], false, { before });

    expect(title).toBe('2 roots: 1 waiting, 1 done, halted');
    expect(summary).toContain(
      String.raw`The next wave is halted by wave 1 of 2 (canary): its check errors failed once, at Mon 12:30 UTC, and found \<b\>, expected \< 1.`,
    );
  });

  test('shows the name of a wave as it is written', () => {
    const standing = { kind: 'soaking', until: 0, said: 'Mon 12:30 UTC' } as const;
    const before = { name: '<b> *all*', number: 1, of: 2, standing };

    expect(rendered([aRoot('app', 'queued')], false, { before }).summary).toContain(String.raw`(\<b\> \*all\*)`);
  });

  test('goes on while one root has not ended, though all that it asks of people is on other check runs', () => {
    expect(rendered([aRoot('a', 'succeeded'), aRoot('b', 'awaiting-review')]).status).toBe('in_progress');
  });

  test('that nobody writes any more says so', () => {
    const content = rendered([aRoot('a', 'succeeded'), aRoot('b', 'queued')], true);

    expect(content).toMatchObject({ status: 'completed', conclusion: 'neutral' });
    expect(content.summary).toContain('this table is no longer updated');
  });

  test('of a thousand roots has those that are most urgent, and a link to the rest', () => {
    const roots = Array.from({ length: 1_000 }, (_, index) =>
      aRoot(`root-${index}`, index === 999 ? 'plan-failed' : 'queued'),
    );

    const { summary } = rendered(roots);

    expect(Buffer.byteLength(summary)).toBeLessThan(61_000);
    expect(summary.indexOf('root-999')).toBeLessThan(summary.indexOf('root-0`'));
    expect(summary).toMatch(
      /\[\d+ roots more\]\(https:\/\/console\.example\/rollouts\/acme\/infra\/aaa\), none of them more urgent\.$/,
    );
  });
});
