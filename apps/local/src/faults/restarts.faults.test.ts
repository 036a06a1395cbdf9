import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { openTerrain, type Terrain } from './terrain.ts';

jest.setTimeout(300_000);

let terrain: Terrain;

beforeAll(async () => {
  terrain = await openTerrain(process.env);
});

afterAll(() => terrain.closeGenuine());

const PROCESSES = ['worker', 'gateway', 'temporal'] as const;

/** An upgrade of each process, in each state of a deployment. */
describe.each(PROCESSES)('%s that is stopped gracefully and started again', (name) => {
  test.each(['while it is planned', 'while a person is asked', 'while it is applied'])(
    '%s costs nothing',
    async (when) => {
      const entry = `${name}-${when.replaceAll(' ', '-')}`;
      const sha = await terrain.push('network', entry, { planSeconds: 2, applySeconds: 3 });
      await terrain.planBegins(sha);
      if (when !== 'while it is planned') await terrain.scene.planned({ root: 'network', sha });
      if (when === 'while it is applied') {
        await terrain.confirm('network', sha);
        await terrain.applyBegins(entry);
      }

      await terrain.stack.restart(name);
      await terrain.listens();
      if (when !== 'while it is applied') await terrain.confirm('network', sha);

      const { externalId } = await terrain.applied('network', sha);
      expect((await terrain.ledger()).filter((line) => line === entry)).toEqual([entry]);
      await terrain.isAudited(externalId, ['RUNNING', 'SUCCESS']);
    },
  );
});
