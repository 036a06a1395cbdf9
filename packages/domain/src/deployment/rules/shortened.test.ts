import { describe, expect, test } from '@jest/globals';
import { aPlan } from '../../testing/samples.ts';
import { bytesOfAll } from '../../bytes.ts';
import { aLargeSummary, deploymentAt } from '../../testing.ts';
import { fitting } from './shortened.ts';

describe('what is handed on of what ended', () => {
  const lines = Array.from({ length: 60 }, (_, index) => `line ${index} ${'x'.repeat(300)}`);
  const steps = { plan: [{ kind: 'run', run: 'make '.repeat(1_000) }], apply: [] } as const;
  const ended = [1, 2, 3].map((position) =>
    deploymentAt(position, {
      root: { ...deploymentAt(1).root, steps },
      progress: {
        status: 'apply-failed',
        times: {},
        jobs: {},
        plan: aPlan({ summary: { ...aLargeSummary(), omitted: 7 } }),
        failure: { body: { summary: 'It failed', lines } },
      },
    }),
  );

  test('is all of it while there is room', () => {
    expect(fitting(ended, bytesOfAll(ended), () => true)).toEqual(ended);
  });

  test('is less of the oldest where there is not, and says that there was more', () => {
    const [oldest, ...others] = fitting(ended, bytesOfAll(ended) - 1, () => true);

    expect(others).toEqual(ended.slice(1));
    expect(oldest).toMatchObject({
      id: '1',
      root: { steps: { plan: [], apply: [] } },
      progress: {
        plan: { made: { body: { digest: aPlan().made.body.digest, summary: { create: 1, omitted: 7 + 195 } } } },
        failure: { body: { summary: 'It failed', lines: ['… shortened: the log has all of it', ...lines.slice(-3)] } },
      },
    });
    expect(oldest?.progress.plan?.made.body.summary.resources).toEqual(aLargeSummary().resources.slice(0, 5));
  });

  test('is all of one whose own record is not stored yet', () => {
    expect(fitting(ended, bytesOfAll(ended) - 1, ({ id }) => id !== '1')[0]).toEqual(ended[0]);
  });

  test('leaves the oldest out where even that is too much', () => {
    expect(fitting(ended, 12_000, () => true).map(({ id }) => id)).toEqual(['2', '3']);
    expect(fitting(ended, 0, () => true)).toEqual([]);
  });
});
