/** A deployment that ended with its plan, whose log is as a worker would have stored it. Nobody looks after one that ended. */
import { randomUUID } from 'node:crypto';
import type { Deployment, Progress } from '@nereid/domain/deployment';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { createDeploymentRecords, createJobLogs, type ObjectStore } from '@nereid/storage';

export interface StoredJob {
  /** The page of its deployment, from the console's top. */
  readonly path: string;
  /** Prints so many more bytes, and returns the last line. */
  print(bytes: number): Promise<string>;
  end(): Promise<void>;
}

export type Line = (number: number) => string;

const REPOSITORY = { owner: 'acme', name: 'infra', installationId: 1 };

const AT = '2026-11-22T12:00:00.000Z';

/** A screen of them makes a short log. */
const LINES_AT_ONCE = 50;

export async function storeJob(store: ObjectStore, rootName: string, line: Line): Promise<StoredJob> {
  const jobId = randomUUID();
  const jobs = { plan: { id: jobId, startedAt: AT } };
  const path = await storeDeployment(store, rootName, { status: 'plan-failed', times: {}, jobs });
  const writer = createJobLogs(store).of(DEFAULT_POOL).writer(jobId, { mask: [], onError: fail });
  let count = 0;
  return {
    path,
    async print(bytes) {
      for (let printed = 0; printed < bytes;) {
        const lines = Array.from({ length: LINES_AT_ONCE }, (_, index) => line(count + index));
        const output = Buffer.from(lines.join(''));
        await writer.write(output);
        count += lines.length;
        printed += output.length;
      }
      return line(count - 1);
    },
    end: () => writer.end(),
  };
}

/** Returns the path of its page. */
export async function storeDeployment(store: ObjectStore, rootName: string, progress: Progress): Promise<string> {
  const id = randomUUID();
  const deployment = aDeployment(id, rootName, progress);
  await createDeploymentRecords(store).write({ version: 1, repository: REPOSITORY, deployment, endedAt: AT });
  return `deployments/${id}?lane=acme/infra/${rootName}`;
}

function fail(error: unknown): never {
  throw error;
}

function aDeployment(id: string, rootName: string, progress: Progress): Deployment {
  return {
    ...{ id, requestId: id, trigger: 'merge', rerun: false, force: false, requestedBy: 'alice', receivedAt: AT },
    root: {
      ...{ name: rootName, dir: rootName, workspace: 'default', distribution: 'terraform' },
      ...{ planReview: 'required', queue: 'every', onFailure: 'continue', varFiles: [], permissions: {} },
      timeoutMs: { plan: 3_600_000, apply: 3_600_000 },
      steps: { plan: [], apply: [] },
    },
    revision: { sha: 'a'.repeat(40), branch: 'main', position: 1, title: 'A change', author: 'alice' },
    progress,
    checkRuns: [],
  };
}
