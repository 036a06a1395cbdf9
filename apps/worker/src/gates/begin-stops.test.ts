import { describe, expect, test } from '@jest/globals';
import { ALL_POOLS, type PoolStop, type Stop } from '@nereid/domain/gates';
import type { Signed } from '@nereid/domain/signed';
import { REPOSITORY } from '@nereid/domain/testing';
import { BrokenRecordError } from '@nereid/storage';
import { testSignatures } from '../testing/test-signatures.ts';
import { begin, type BeginContext } from './begin.ts';
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

  test.each([
    ['read', 'stops/acme/infra.json', 'nereid thaw acme/infra', 'thaw'],
    ['readPools', 'stops/pools.json', 'nereid thaw --all', 'thaw_pool'],
  ])(
    'is not given while %s finds a record of stops broken, and a thaw may mend that',
    async (name, file, thaw, who) => {
      const context = beginContext();
      const broken = { [name]: () => Promise.reject(new BrokenRecordError(file, 'cut off')) };
      const stopRecords = { ...context.stopRecords, ...broken };

      await expect(begin({ ...context, stopRecords }, await aBeginning())).rejects.toMatchObject({
        code: 'GATE_CLOSED',
        message: expect.stringContaining(`: ${file} is broken; the log of the worker says why. ${thaw} replaces it`),
        wait: { gate: 'stop', who: [who] },
      });
    },
  );

  test('is not given where somebody stops it while it gets its turn: the trail may have the start', async () => {
    const stops: Signed<Stop>[] = [];
    const turn = async () => void stops.push(await stopOf());

    await expect(begin(beginContext({ stops, turn }), await aBeginning())).rejects.toMatchObject({
      code: 'GATE_CLOSED',
      wait: { gate: 'stop', isRepeated: true },
    });
  });

  test.each(['read', 'readPools'])('is given to nobody while storage is away for %s', async (name) => {
    const context = beginContext();
    const stopRecords = { ...context.stopRecords, [name]: () => Promise.reject(new Error('storage is away')) };

    await expect(begin({ ...context, stopRecords }, await aBeginning())).rejects.toThrow('storage is away');
  });
});

async function poolStopOf(more: Partial<PoolStop> = {}): Promise<Signed<PoolStop>> {
  const { body } = await stopOf();
  const { repository: _ofIt, directories: _ofThem, ...terms } = body;
  return testSignatures.enclose('decision/pool-stop', { ...terms, pool: ALL_POOLS, ...more });
}

describe('permission to apply, while an operator stops all repositories or a pool', () => {
  const asks = async (...poolStops: readonly Signed<PoolStop>[]) =>
    begin(beginContext({ poolStops }), await aBeginning());

  test.each([
    [ALL_POOLS, 'Stopped for all repositories by ada', 'nereid thaw --all ends it'],
    ['default', 'Stopped for the pool default by ada', 'nereid thaw --pool default ends it'],
  ])('is not given where the pool is %s', async (pool, subject, thaw) => {
    await expect(asks(await poolStopOf({ pool }))).rejects.toMatchObject({
      code: 'GATE_CLOSED',
      message: expect.stringMatching(new RegExp(`^${subject} until .* UTC: the registry is down\\. ${thaw}$`)),
      wait: { gate: 'stop', who: ['thaw_pool'], until: expect.any(Number) },
    });
  });

  test.each<[string, Partial<PoolStop>]>([
    ['that is over', { until: new Date(Date.now() - 1_000).toISOString() }],
    ['of another pool', { pool: 'gpu' }],
  ])('is given with a stop %s', async (_what, more) => {
    await expect(asks(await poolStopOf(more))).resolves.toHaveProperty('signature');
  });

  test('is given with a stop that nobody signed, or that was signed for another pool or for a repository', async () => {
    const all = await poolStopOf();
    const ofGpu = await poolStopOf({ pool: 'gpu' });
    const ofRepository = await stopOf();
    const forged = [
      { ...all, signature: 'made up' },
      { ...all, signature: ofGpu.signature },
      { body: { ...all.body }, signature: ofRepository.signature },
    ];

    await expect(asks(...forged)).resolves.toHaveProperty('signature');
    await expect(asks(...forged, all)).rejects.toHaveProperty('code', 'GATE_CLOSED');
  });

  test('takes one read of each record, and no question to the forge', async () => {
    const context = beginContext();
    const reads: string[] = [];
    const { read, readPools } = context.stopRecords;
    const stopRecords: BeginContext['stopRecords'] = {
      read: (repository) => {
        reads.push('repository');
        return read(repository);
      },
      readPools: () => {
        reads.push('pools');
        return readPools();
      },
    };

    await begin({ ...context, stopRecords }, await aBeginning());

    // Before the turn and after it: two decisions.
    expect(reads.toSorted()).toEqual(['pools', 'pools', 'repository', 'repository']);
  });
});
