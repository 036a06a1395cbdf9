import { Octokit } from '@octokit/core';
import { expect, test } from '@jest/globals';
import type { Priority } from '@nereid/forge';
import { inBackground } from './background.ts';
import { createHourlyLimit } from './hourly-limit.ts';
import { createLimits } from './keep-limits.ts';
import { WRITE_POINTS } from './points.ts';

test('any hour has as many as the limit, and whoever comes too early learns when there is room', () => {
  let nowMs = 0;
  const limit = createHourlyLimit(2, () => nowMs);
  const spend = () => {
    limit.requireRoom();
    limit.count();
  };
  spend();
  nowMs = 60_000;
  spend();

  expect(spend).toThrow(expect.objectContaining({ retryAfterMs: 3_540_000 }));
  nowMs = 3_600_000;
  spend();
  expect(spend).toThrow(expect.objectContaining({ retryAfterMs: 60_000 }));
});

test("writes to GitHub's list of deployments beyond those of an hour are not sent, and hold up no check run", async () => {
  const sent: string[] = [];
  const fetch = (url: string): Promise<Response> => {
    sent.push(url);
    return Promise.resolve(Response.json({}, { status: 201 }));
  };
  const octokit = new (Octokit.plugin(createLimits(1).plugin))({ request: { fetch } });
  const write = (priority: Priority, path: string) =>
    octokit.request(`POST ${path}`, {
      request: inBackground({ priority, key: path, restPoints: 0, againPoints: WRITE_POINTS }),
    });

  await write('environment', '/one');
  await expect(write('environment', '/two')).rejects.toMatchObject({
    code: 'GITHUB_HELD_BACK',
    retryAfterMs: expect.any(Number),
  });
  await write('first', '/three');

  expect(sent.map((url) => new URL(url).pathname)).toEqual(['/one', '/three']);
});
