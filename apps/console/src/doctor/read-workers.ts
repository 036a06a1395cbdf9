import { defined } from '@nereid/domain/defined';
import type { Diagnosis } from '@nereid/api';
import type { WorkerDiagnosis } from '@nereid/domain/host';
import type { WorkerDiagnoses } from '@nereid/storage';
import type { Logger } from 'pino';
import { inTime, STORAGE_PATIENCE_MS } from '../platform/in-time.ts';

type DiagnosedWorker = NonNullable<Diagnosis['workers']>[number];

/** The findings of the running workers about themselves; undefined when storage does not answer. */
export type ReadWorkers = () => Promise<DiagnosedWorker[] | undefined>;

/**
 * Two of a worker's examinations have failed by then: it was killed, or its clock is wrong, and the list of hosts has it as away.
 */
const OLD_AFTER_MS = 25 * 60_000;

/** Nobody reads more on a page. */
const WORKERS_LIMIT = 200;

export function createReadWorkers(diagnoses: Pick<WorkerDiagnoses, 'list'>, logger: Pick<Logger, 'warn'>): ReadWorkers {
  const onUnreadable = (err: Error) => {
    logger.warn({ err }, 'what the doctor of a worker found cannot be read, and is left out');
  };
  return async () => {
    try {
      const all = await inTime(diagnoses.list(onUnreadable), STORAGE_PATIENCE_MS);
      const workers = all.filter(({ at }) => Math.abs(Date.now() - Date.parse(at)) < OLD_AFTER_MS).map(workerOf);
      return workers.toSorted(inOrder).slice(0, WORKERS_LIMIT);
    } catch (error) {
      logger.warn({ err: error }, 'what the doctors of workers found cannot be read');
      return undefined;
    }
  };
}

/** Without anything else that the record has. */
function workerOf({ hostId: id, roles, at, tookMs, examined }: WorkerDiagnosis): DiagnosedWorker {
  return {
    id,
    roles: [...roles],
    isHealthy: examined.every(({ outcome }) => outcome !== 'fail'),
    examined: examined.map(({ name, outcome, found, remedy }) => ({
      name,
      outcome,
      found,
      ...defined({ remedy }),
    })),
    at,
    tookMs: Math.round(tookMs),
  };
}

/** A host that was taken over may name others, so it never takes the places of control. */
function inOrder(one: DiagnosedWorker, other: DiagnosedWorker): number {
  const isHost = ({ roles }: DiagnosedWorker) => Number(!roles.includes('control'));
  return (
    isHost(one) - isHost(other) || Number(one.isHealthy) - Number(other.isHealthy) || one.id.localeCompare(other.id)
  );
}
