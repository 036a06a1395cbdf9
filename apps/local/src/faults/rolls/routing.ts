/** What an operator does who rolls a release by hand: `temporal worker deployment …`, `temporal workflow update-options`. */
import { UNSEALED } from '@nereid/process';
import { Client, Connection, isGrpcServiceError } from '@temporalio/client';
import { readRoutes, routeTo } from '@nereid/worker/routes';
import { WORKER_DEPLOYMENT } from '@nereid/worker/workflow-version';
import { until } from '../terrain.ts';

export interface Routing extends AsyncDisposable {
  /** Resolves when both versions have workers, and have been current; workflows then go to `first`. */
  begin(first: string, second: string): Promise<void>;
  current(): Promise<string | undefined>;
  /** Routes all workflows to the version. */
  routeAll(buildId: string): Promise<void>;
  /** Routes this share of the workflows to the version. */
  ramp(buildId: string, percentage: number): Promise<void>;
  /** Has the workflow go on in this version only, wherever the others are routed; does nothing once it has ended. */
  keepWith(buildId: string, workflowId: string): Promise<void>;
  /** The builds that did the tasks of the workflow, without repetitions in a row. */
  buildsOf(workflowId: string): Promise<readonly string[]>;
  /** How often a task of the workflow went to a build that does not replay it. */
  countWrongTurns(workflowId: string): Promise<number>;
}

/** Temporal is killed now and then, and is back within seconds. The client asks again until then. */
const DEADLINE_MS = 120_000;

/** Of `PinnedOverrideBehavior`. */
const PINNED = 1;

/** Of the statuses of gRPC: the workflow has ended. */
const NOT_FOUND = 5;

/** Of `WorkflowTaskFailedCause`. */
const NONDETERMINISM = 24;

export async function openRouting(address: string): Promise<Routing> {
  const connection = await Connection.connect({ address });
  const temporal = new Client({ connection, dataConverter: UNSEALED });
  const { namespace } = temporal.options;
  const { workflowService } = temporal;
  const within = <T>(act: () => Promise<T>) => temporal.withDeadline(Date.now() + DEADLINE_MS, act);

  const events = (workflowId: string) =>
    within(async () => (await temporal.workflow.getHandle(workflowId).fetchHistory()).events ?? []);

  const routing: Routing = {
    async begin(first, second) {
      const areKnown = async () => {
        const known = (await within(() => readRoutes(temporal)))?.known ?? [];
        return known.includes(first) && known.includes(second);
      };
      await until('workers of two versions', areKnown);
      // A version that was current before does not become current by itself while the other one has workers.
      await routing.routeAll(second);
      await routing.routeAll(first);
    },
    async current() {
      return (await within(() => readRoutes(temporal)))?.current;
    },
    async routeAll(buildId) {
      // Workers may route at the same time, which is a conflict.
      await until(`workflows to go to ${buildId}`, async () => {
        const routes = await within(() => readRoutes(temporal));
        if (routes === undefined || routes.current === buildId) return routes !== undefined;
        return within(() => routeTo(temporal, buildId, routes)).then(
          () => true,
          () => false,
        );
      });
    },
    async ramp(buildId, percentage) {
      const change = { namespace, deploymentName: WORKER_DEPLOYMENT, buildId, percentage };
      await within(() =>
        workflowService.setWorkerDeploymentRampingVersion({ ...change, ignoreMissingTaskQueues: true }),
      );
    },
    async keepWith(buildId, workflowId) {
      const version = { deploymentName: WORKER_DEPLOYMENT, buildId };
      const versioningOverride = { pinned: { behavior: PINNED, version } };
      await within(() =>
        workflowService.updateWorkflowExecutionOptions({
          ...{ namespace, workflowExecution: { workflowId } },
          workflowExecutionOptions: { versioningOverride },
          updateMask: { paths: ['versioning_override'] },
        }),
      ).catch((error: unknown) => {
        // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-comparison -- no package of ours may name the enum
        if (!isGrpcServiceError(error) || error.code !== NOT_FOUND) throw error;
      });
    },
    async buildsOf(workflowId) {
      const builds = (await events(workflowId)).flatMap(
        ({ workflowTaskCompletedEventAttributes: completed }) => completed?.deploymentVersion?.buildId ?? [],
      );
      return builds.filter((buildId, index) => buildId !== builds[index - 1]);
    },
    async countWrongTurns(workflowId) {
      const failures = (await events(workflowId)).filter(
        // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-comparison -- no package of ours may name the enum
        ({ workflowTaskFailedEventAttributes: failed }) => failed?.cause === NONDETERMINISM,
      );
      return failures.length;
    },
    [Symbol.asyncDispose]: () => connection.close(),
  };
  return routing;
}
