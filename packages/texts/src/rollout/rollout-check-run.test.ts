import { describe, expect, test } from '@jest/globals';
import type { WaveBefore } from '@nereid/domain/gates';
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

  test('has the command that re-runs what resumes it: the root that failed, or the first of the wave', () => {
    const waves = [
      { name: 'canary', rootNames: ['web', 'app', 'dns'], soakMs: 0 },
      { name: 'the rest', rootNames: ['z'], soakMs: 0 },
    ];
    const wave = { name: 'canary', number: 1, of: 2 } as const;
    const failed = { kind: 'halted', rootName: 'dns', how: 'failed to apply' } as const;
    const checked = { kind: 'check-failed', check: 'up', failures: 1, answer: 'answered 500', said: 'Mon' } as const;
    const [app, web] = [aRoot('app', 'succeeded'), aRoot('web', 'no-changes')];
    const summaryOf = (dns: RootStatus, standing: typeof failed | typeof checked) =>
      rendered([web, app, aRoot('dns', dns), aRoot('z', 'blocked')], false, { waves, before: { ...wave, standing } })
        .summary;

    expect(summaryOf('apply-failed', failed)).toContain(' In a terminal, `nereid rerun of-dns` re-runs `dns`.');
    expect(summaryOf('succeeded', checked)).toContain(' In a terminal, `nereid rerun of-app` re-runs `app`.');
    const [running, waiting] = [aRoot('app', 'planning'), aRoot('web', 'queued')];
    const before = { ...wave, standing: checked };
    expect(rendered([running, waiting, aRoot('z', 'blocked')], false, { waves, before }).summary).not.toContain(
      'terminal',
    );
  });

  test('says until when a wave soaks, and what then', () => {
    const wave = { name: 'canary', number: 1, of: 2, soak: '1h' } as const;
    const soaking = { kind: 'soaking', until: 0, said: 'Mon 12:30 UTC' } as const;
    const summaryOf = (standing: WaveBefore['standing']) =>
      rendered([aRoot('app', 'succeeded'), aRoot('dns', 'queued')], false, { before: { ...wave, standing } }).summary;

    expect(summaryOf(soaking)).toContain(
      String.raw`The next wave waits for wave 1 of 2 (canary), which soaks until Mon 12:30 UTC. Then it begins by itself.`,
    );
    expect(summaryOf({ ...soaking, checks: 'its checks pass so far' })).toContain(
      'until Mon 12:30 UTC; its checks pass so far. It begins by itself once these checks have passed. If one keeps failing, the rollout is halted.',
    );
    expect(summaryOf({ kind: 'checking', checks: 'the check up has not answered yet' })).toContain(
      'the check up has not answered yet. It begins by itself once these checks have passed.',
    );
    expect(summaryOf({ kind: 'open', rootNames: ['app'] })).not.toContain('by itself');
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
