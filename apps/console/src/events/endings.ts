/**
 * How deployments ended that have left their lanes: their records say so, once they are there. Looked for only while somebody
 * follows, once for all.
 */
import type { DeploymentRecords } from '@nereid/storage';
import pMap from 'p-map';
import type { Change } from './change.ts';
import type { Left } from './fleet-changes.ts';

export interface Endings {
  expect(left: readonly Left[]): void;
  /** Looks for the records of those that are expected. Throws what the storage throws. */
  look(): Promise<readonly Change[]>;
}

/** A record is stored within seconds after its lane has let a deployment go. */
const PATIENCE_MS = 60_000;

/** If more have left their lanes since somebody last followed, they ended long ago. */
const LIMIT = 1_000;

/** Each takes two requests to storage. */
const LOOKED_FOR = 64;
const AT_ONCE = 16;

interface Expected extends Left {
  readonly sinceMs: number;
}

export function createEndings(records: Pick<DeploymentRecords, 'find'>): Endings {
  let expected: readonly Expected[] = [];

  async function find(one: Expected): Promise<{ readonly one: Expected; readonly change: Change | undefined }> {
    const { id, lane } = one;
    const record = await records.find(lane, lane.rootName, id);
    if (record === undefined) return { one, change: undefined };
    return { one, change: { kind: 'deployment', lane, id, status: record.deployment.progress.status } };
  }

  return {
    expect(left) {
      expected = [...expected, ...left.map((one) => ({ ...one, sinceMs: Date.now() }))].slice(-LIMIT);
    },
    async look() {
      const looked = await pMap(expected.slice(0, LOOKED_FOR), find, { concurrency: AT_ONCE });
      const changes = looked.flatMap(({ change }) => change ?? []);
      const found = new Set(looked.filter(({ change }) => change !== undefined).map(({ one }) => one));
      const isLeft = (one: Expected) => !found.has(one) && one.sinceMs > Date.now() - PATIENCE_MS;
      expected = expected.filter(isLeft);
      return changes;
    },
  };
}
