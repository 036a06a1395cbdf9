import { describe, expect, test } from '@jest/globals';
import type { Stop } from '@nereid/domain/gates';
import type { Signed } from '@nereid/domain/signed';
import { REPOSITORY } from '@nereid/domain/testing';
import { BrokenRecordError } from '@nereid/storage';
import { testSignatures } from '../testing/test-signatures.ts';
import { begin } from './begin.ts';
import { aBeginning } from './testing/a-beginning.ts';
import { beginContext } from './testing/begin-context.ts';

const HOUR_MS = 3_600_000;

const { owner, name } = REPOSITORY;

async function stopOf(more: Partial<Stop> = {}): Promise<Signed<Stop>> {
  const [at, until] = [-HOUR_MS, HOUR_MS].map((ms) => new Date(Date.now() + ms).toISOString());
  return testSignatures.enclose('decision/stop', {
    ...{ version: 1, requestId: 'r1', repository: { owner, name }, directories: [], by: 'ada' },
    ...{ reason: 'the registry is down', at: at ?? '', until: until ?? '' },
    ...more,
  });
}

describe('permission to apply, in a repository that somebody stopped', () => {
  const asks = async (...stops: readonly Signed<Stop>[]) => {
    const turns: unknown[] = [];
    const turn = async (...asked: readonly unknown[]) => void turns.push(asked);
    const given = begin(beginContext({ stops, turn }), await aBeginning());
    return { given, turns };
  };

  test('is not given before the end of the stop, and no turn is taken', async () => {
    const { given, turns } = await asks(await stopOf());

    await expect(given).rejects.toMatchObject({
      code: 'GATE_CLOSED',
      message: expect.stringMatching(/^Stopped by ada until \w{3} \d\d:\d\d UTC: the registry is down\. nereid thaw /),
      wait: { gate: 'stop', who: ['thaw'], until: expect.any(Number) },
    });
    expect(turns).toEqual([]);
  });

  test.each<[string, Partial<Stop>]>([
    ['that is over', { until: new Date(Date.now() - 1_000).toISOString() }],
    ['of other directories', { directories: ['other/**'] }],
    ['of another repository', { repository: { owner, name: 'another' } }],
  ])('is given with a stop %s', async (_what, more) => {
    const { given } = await asks(await stopOf(more));

    await expect(given).resolves.toHaveProperty('signature');
  });

  test('is given with a stop that nobody signed, and not because of it', async () => {
    const stop = await stopOf();

    await expect((await asks({ ...stop, signature: 'made up' })).given).resolves.toHaveProperty('signature');
    await expect((await asks({ ...stop, signature: 'made up' }, stop)).given).rejects.toHaveProperty(
      'code',
      'GATE_CLOSED',
    );
  });

  test('is not given while the record of stops is broken, and a thaw may mend that', async () => {
    const broken = { read: () => Promise.reject(new BrokenRecordError('stops/acme/infra.json', 'cut off')) };

    await expect(begin({ ...beginContext(), stopRecords: broken }, await aBeginning())).rejects.toMatchObject({
      code: 'GATE_CLOSED',
      message: expect.stringMatching(/^Nereid cannot read who has stopped the repository; .* A thaw/),
      wait: { gate: 'stop' },
    });
  });

  test('is not given where somebody stops it while it gets its turn: the trail may have the start', async () => {
    const stops: Signed<Stop>[] = [];
    const turn = async () => void stops.push(await stopOf());

    await expect(begin(beginContext({ stops, turn }), await aBeginning())).rejects.toMatchObject({
      code: 'GATE_CLOSED',
      wait: { gate: 'stop', isRepeated: true },
    });
  });

  test('is given to nobody while storage is away', async () => {
    const context = beginContext();
    const away = { read: () => Promise.reject(new Error('storage is away')) };

    await expect(begin({ ...context, stopRecords: away }, await aBeginning())).rejects.toThrow('storage is away');
  });
});
