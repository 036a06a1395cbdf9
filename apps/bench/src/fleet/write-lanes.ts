import type { LaneRecord } from '@nereid/domain/lane';
import { fullName, type Repository } from '@nereid/domain/root';
import type { LaneRecords } from '@nereid/storage';

export interface WrittenLane {
  readonly repository: Repository;
  readonly rootName: string;
}

/** Of fifty repositories, each lane deployed once and idle since. */
export async function writeLanes(records: LaneRecords, count: number): Promise<readonly WrittenLane[]> {
  const lanes: WrittenLane[] = [];
  for (let index = 0; index < count; index += 1) {
    const repository = { owner: 'acme', name: `infra-${index % 50}`, installationId: 1 };
    const rootName = `root-${Math.floor(index / 50)}`;
    const revision = index.toString(16).padStart(40, '0');
    const record: LaneRecord = {
      ...{ version: 1, repository, rootName, manual: [], merged: [] },
      latest: {
        deploymentId: `${fullName(repository)}-${rootName}`,
        revision,
        trigger: 'merge',
        status: 'succeeded',
        at: AT,
      },
      seen: { requestIds: [], merges: Array.from({ length: 20 }, () => revision) },
      writer: { runId: 'bench', sequence: 1 },
    };
    await records.write(record, null);
    lanes.push({ repository, rootName });
  }
  return lanes;
}

const AT = '2026-11-22T12:00:00.000Z';
