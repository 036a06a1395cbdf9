import { beforeEach, expect, test } from '@jest/globals';
import type { MovesOf, ReadMoves } from '@nereid/forge';
import type { Octokit } from '@octokit/core';
import { createMovesOf, MOVES_LIMIT } from './branch-moves.ts';

const INFRA = { owner: 'acme', name: 'infra', installationId: 1 };
const PAGE = 100;

/** How often the branch has moved, and the cursors that were asked for. */
let count: number;
let asked: (string | undefined)[];
let movesOf: MovesOf;
let now: number;

beforeEach(() => {
  asked = [];
  now = 1;
  const request = (_route: string, { after }: { readonly after?: string }) => {
    asked.push(after);
    const first = after === undefined ? count : Number(after) - 1;
    const ids = Array.from({ length: Math.min(PAGE, first) }, (_, index) => first - index);
    const data = ids.map((id) => ({
      id,
      before: `${id - 1}`,
      after: `${id}`,
      timestamp: '2026-01-31T14:00:00Z',
      actor: { login: 'wim', id: 7 },
    }));
    const url = `https://api.github.com/repositories/1/activity?ref=main&after=${ids.at(-1)}&per_page=100`;
    const link = (ids.at(-1) ?? 1) > 1 ? `<${url}>; rel="next", <https://api.github.com/x?before=1>; rel="prev"` : '';
    return Promise.resolve({ data, headers: { link } });
  };
  const octokit = { request } as unknown as Octokit;
  movesOf = createMovesOf({ ask: (_installation, _what, conversation) => conversation(octokit) }, { now: () => now });
});

/** Moves are enough once they go back to this one. */
function backTo(id: number) {
  return ({ moves }: ReadMoves) => moves.some(({ after }) => after === `${id}`);
}

test('the moves of a branch are read until they are enough, the newest first, with who made them', async () => {
  count = 250;

  const moves = await movesOf(INFRA, 'main', backTo(150));

  expect(asked).toEqual([undefined, '151']);
  expect(moves).toHaveLength(200);
  expect(moves[0]).toMatchObject({ before: '249', after: '250', by: { login: 'wim', id: 7 } });
});

test('what was read is not read again: only newer moves, and older ones', async () => {
  count = 250;
  await movesOf(INFRA, 'main', backTo(150));
  count = 260;
  now += 5_001;

  const moves = await movesOf(INFRA, 'main', backTo(1));

  expect(asked.slice(2)).toEqual([undefined, '51']);
  expect(moves.map(({ after }) => Number(after))).toEqual(Array.from({ length: 260 }, (_, index) => 260 - index));
});

test('after more moves than a page has, they are read again', async () => {
  count = 100;
  await movesOf(INFRA, 'main', backTo(1));
  count = 300;
  now += 5_001;

  expect(await movesOf(INFRA, 'main', backTo(1))).toHaveLength(300);
});

test('those who ask at once are answered by one request', async () => {
  count = 10;

  await Promise.all(Array.from({ length: 20 }, () => movesOf(INFRA, 'main', backTo(5))));

  expect(asked).toHaveLength(1);
});

test('a move that came after the last answer is found at once', async () => {
  count = 10;
  await movesOf(INFRA, 'main', backTo(5));
  count = 11;

  expect(await movesOf(INFRA, 'main', backTo(11))).toMatchObject([
    { after: '11' },
    ...Array.from({ length: 10 }, () => ({})),
  ]);
  expect(asked).toEqual([undefined, undefined]);
});

test('a branch that moves all the time is read so far and no further', async () => {
  count = 5_000;

  expect(await movesOf(INFRA, 'main', () => false)).toHaveLength(MOVES_LIMIT);
  expect(asked).toHaveLength(10);
});

test('the caller is told whether there are older moves than those', async () => {
  const told: boolean[] = [];
  const see = ({ isWhole }: ReadMoves) => !told.push(isWhole);
  count = 150;
  await movesOf(INFRA, 'main', see);
  expect(told).toEqual([false, true]);

  told.length = 0;
  count = 5_000;
  await movesOf(INFRA, 'other', see);
  await movesOf(INFRA, 'other', see);

  expect(new Set(told)).toEqual(new Set([false]));
});
