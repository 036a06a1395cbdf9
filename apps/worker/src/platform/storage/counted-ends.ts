import type { DeploymentRecord } from '@nereid/domain/deployment';
import type { DeploymentRecords } from '@nereid/storage';

/** The same records. `onEnded` hears of each deployment once its end is stored, but not of ends that are stored again. */
export function countedEnds(
  records: DeploymentRecords,
  onEnded: (record: DeploymentRecord) => void,
): DeploymentRecords {
  return {
    ...records,
    async write(record, yields) {
      const stored = await records.write(record, yields);
      // One that was there before was read, and is another object.
      if (stored === record) onEnded(record);
      return stored;
    },
  };
}
