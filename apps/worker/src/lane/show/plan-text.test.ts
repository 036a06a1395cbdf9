import { beforeEach, describe, expect, test } from '@jest/globals';
import type { PlanText } from '@nereid/domain/plan';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { aPlan } from '@nereid/domain/testing';
import { pino } from 'pino';
import type { WorkerContext } from '../../platform/context.ts';
import { planTextsOf } from './plan-text.ts';

const REPOSITORY = { owner: 'acme', name: 'infra', installationId: 1 };
const TEXT: PlanText = { text: '  # aws_x.a will be created', leftOut: 0, isShortened: false };
const DIGEST = 'a1'.repeat(32);
const PLANNED = {
  plan: aPlan({ textDigest: DIGEST }),
  jobs: { plan: { id: 'job', startedAt: '2026-01-31T14:00:00.000Z' } },
};

let asked: string[];

beforeEach(() => {
  asked = [];
});

interface Circumstances {
  readonly read?: () => Promise<PlanText | undefined>;
  readonly isPublic?: () => Promise<boolean>;
  readonly keyedRepositories?: 'private' | 'all';
}

function textsWhere({
  read = () => Promise.resolve(TEXT),
  isPublic = () => Promise.resolve(false),
  keyedRepositories = 'private',
}: Circumstances = {}) {
  const context = {
    config: { links: { key: undefined, keyedRepositories } },
    forge: {
      repositories: {
        isPublic: () => {
          asked.push('GitHub');
          return isPublic();
        },
      },
    },
    jobLogs: {
      of: (pool: string) => ({
        planTexts: {
          read: (jobId: string, digest: string) => {
            asked.push(`${pool} ${jobId} ${digest}`);
            return read();
          },
        },
      }),
    },
    logger: pino({ level: 'silent' }),
  };
  return planTextsOf(context as unknown as WorkerContext, REPOSITORY, 20);
}

const unreadable = { kind: 'none', why: expect.stringContaining('could not be read') };

test('the text of a plan is read by the job that made it and by the digest that its host signed', async () => {
  expect(await textsWhere()(PLANNED, DEFAULT_POOL)).toEqual({ kind: 'text', text: TEXT });
  expect(asked).toEqual(['GitHub', `${DEFAULT_POOL} job ${DIGEST}`]);
});

test('nobody is asked for the text of a plan that has none, or before there is a plan', async () => {
  expect(await textsWhere()({ ...PLANNED, plan: aPlan() }, DEFAULT_POOL)).toBeUndefined();
  expect(await textsWhere()({ jobs: {} }, DEFAULT_POOL)).toBeUndefined();
  expect(asked).toEqual([]);
});

describe('a check run says that the text cannot be read', () => {
  test.each<[string, () => Promise<undefined>]>([
    ['when it is not in storage, or is another one', () => Promise.resolve(undefined)],
    ['when storage fails', () => Promise.reject(new Error('the store is away'))],
    ['when storage does not answer in time', () => new Promise(() => undefined)],
  ])('a check run says that the text cannot be read %s', async (_when, read) => {
    expect(await textsWhere({ read })(PLANNED, DEFAULT_POOL)).toEqual(unreadable);
  });

  test('when nobody says which job made it', async () => {
    expect(await textsWhere()({ ...PLANNED, jobs: {} }, DEFAULT_POOL)).toEqual(unreadable);
  });
});

describe('of a public repository, which everybody in the world reads,', () => {
  const hidden = { kind: 'none', why: expect.stringContaining('everybody in the world may read this') };

  test.each<[string, () => Promise<boolean>]>([
    ['the text is not shown', () => Promise.resolve(true)],
    ['nor of one of which GitHub does not say what it is', () => Promise.reject(new Error('GitHub is away'))],
  ])('of a public repository, %s', async (_what, isPublic) => {
    expect(await textsWhere({ isPublic })(PLANNED, DEFAULT_POOL)).toEqual(hidden);
    expect(asked).toEqual(['GitHub']);
  });

  test('the text is shown where an operator opened the logs to everybody, too', async () => {
    const isPublic = () => Promise.resolve(true);

    expect(await textsWhere({ isPublic, keyedRepositories: 'all' })(PLANNED, DEFAULT_POOL)).toEqual({
      kind: 'text',
      text: TEXT,
    });
  });

  test('GitHub is asked once for all plans that are written together', async () => {
    const textOf = textsWhere({ isPublic: () => Promise.resolve(true) });

    await Promise.all([textOf(PLANNED, DEFAULT_POOL), textOf(PLANNED, DEFAULT_POOL)]);

    expect(asked).toEqual(['GitHub']);
  });
});
