import { beforeEach, expect, test } from '@jest/globals';
import { Secret } from '@nereid/config';
import { pino } from 'pino';
import type { WorkerContext } from '../../platform/context.ts';
import { linkSecret } from './link-secret.ts';

const REPOSITORY = { owner: 'acme', name: 'infra', installationId: 1 };
const KEY = new Secret('of the links');

let asked: number;

beforeEach(() => {
  asked = 0;
});

const is = (isPublic: boolean) => () => Promise.resolve(isPublic);

/** What all links of a repository are made with. */
function secretWhere(
  isPublic: () => Promise<boolean>,
  links: Partial<WorkerContext['config']['links']> = {},
  withinMs?: number,
) {
  const context = {
    config: { links: { key: KEY, keyedRepositories: 'private', ...links } },
    forge: {
      repositories: {
        isPublic: () => {
          asked += 1;
          return isPublic();
        },
      },
    },
    logger: pino({ level: 'silent' }),
  };
  return linkSecret(context as unknown as WorkerContext, REPOSITORY, withinMs);
}

test('links of a private repository carry a key', async () => {
  expect(await secretWhere(is(false))).toBe(KEY);
});

test('links of a public repository carry none', async () => {
  expect(await secretWhere(is(true))).toBeUndefined();
});

test('links carry none when GitHub does not say whether the repository is public', async () => {
  expect(await secretWhere(() => Promise.reject(new Error('GitHub is away')))).toBeUndefined();
});

test('links carry none when GitHub says it too late', async () => {
  expect(await secretWhere(() => new Promise(() => undefined), {}, 1)).toBeUndefined();
});

test('GitHub is not asked where an operator wants keys everywhere', async () => {
  expect(await secretWhere(is(true), { keyedRepositories: 'all' })).toBe(KEY);
  expect(asked).toBe(0);
});

test('GitHub is not asked where no link carries a key', async () => {
  expect(await secretWhere(is(false), { key: undefined })).toBeUndefined();
  expect(asked).toBe(0);
});
