import { describe, expect, test } from '@jest/globals';
import { ALL_POOLS } from '@nereid/domain/gates';
import type { BreakGlass } from '@nereid/domain/plan';
import type { Signed } from '@nereid/domain/signed';
import { REPOSITORY } from '@nereid/domain/testing';
import { testSignatures } from '../testing/test-signatures.ts';
import { begin } from './begin.ts';
import { aBeginning } from './testing/a-beginning.ts';
import { beginContext, type World } from './testing/begin-context.ts';

const HOUR_MS = 3_600_000;

const { owner, name } = REPOSITORY;

const isoIn = (ms: number) => new Date(Date.now() + ms).toISOString();

const FREEZE = `[{ name: Year end, kind: deny, dtstart: "${isoIn(-HOUR_MS).slice(0, 16)}", duration: 12h, timezone: UTC }]`;

async function world(): Promise<World> {
  const stop = await testSignatures.enclose('decision/stop', {
    ...{ version: 1, requestId: 'r1', repository: { owner, name }, directories: [], by: 'ada' },
    ...{ reason: 'the registry is down', at: isoIn(-HOUR_MS), until: isoIn(HOUR_MS) },
  });
  const { repository: _ofIt, directories: _ofThem, ...terms } = stop.body;
  const ofAll = await testSignatures.enclose('decision/pool-stop', { ...terms, pool: ALL_POOLS });
  return { stops: [stop], poolStops: [ofAll], windows: FREEZE };
}

async function glassOf(more: Partial<BreakGlass> = {}): Promise<Signed<BreakGlass>> {
  const { deployment } = await aBeginning();
  const digest = deployment.progress.plan?.made.body.digest ?? '';
  return testSignatures.enclose('decision/break-glass', {
    ...{ version: 1, requestId: 'r2', repository: { owner, name }, deploymentId: deployment.id, digest },
    ...{ by: 'ada', reason: 'the site is down', at: isoIn(-1_000), until: isoIn(HOUR_MS) },
    ...more,
  });
}

describe('permission to apply, in a stopped repository, with all repositories stopped, and a freeze', () => {
  const asks = async (glass: Signed<BreakGlass>, more: World = {}) =>
    begin(beginContext({ ...(await world()), glass: [glass], ...more }), await aBeginning());

  test('is given to a deployment whose glass a person broke, with that word, and for as long as any', async () => {
    const glass = await glassOf();

    const { body } = await asks(glass);

    expect(body.glass).toEqual(glass);
    expect(Date.parse(body.beginBy)).toBeGreaterThan(Date.now());
  });

  test.each<[string, Partial<BreakGlass>]>([
    ['another plan', { digest: 'b2'.repeat(32) }],
    ['another deployment', { deploymentId: 'another' }],
    ['another repository', { repository: { owner, name: 'another' } }],
    ['a time that is over', { until: isoIn(-1) }],
  ])('is not given by a word about %s', async (_what, more) => {
    await expect(asks(await glassOf(more))).rejects.toHaveProperty('code', 'GATE_CLOSED');
  });

  test('is not given by a word that nobody signed', async () => {
    await expect(asks({ ...(await glassOf()), signature: 'made up' })).rejects.toHaveProperty('code', 'GATE_CLOSED');
  });

  test('still takes a review, where the server asks for one', async () => {
    const repositories = '[{ match: "*/*", plan_review: required }]';

    await expect(asks(await glassOf(), { repositories })).rejects.toHaveProperty('code', 'POLICY_CHANGED');
  });
});
