/** What an operator does who rolls a release by hand: `temporal worker deployment …`, `temporal workflow update-options`. */
import { UNSEALED } from '@nereid/process';
import { Client, Connection, isGrpcServiceError } from '@temporalio/client';
import { readRoutes, routeTo } from '@nereid/worker/routes';
import { WORKER_DEPLOYMENT } from '@nereid/worker/workflow-version';
import type { HistoryEvent } from '../history-events.ts';
import { until } from '../terrain.ts';

export interface Routing extends AsyncDisposable {
  /** Resolves when both versions have workers, and have been current; workflows then go to `first`. */
  begin(first: string, second: string): Promise<void>;
  current(): Promise<string | undefined>;
  /** Routes all workflows to the version. */
  routeAll(buildId: string): Promise<void>;
  /** Has the workflow go on in this version only, wherever the others are routed; does nothing once it has ended. */
  bind(buildId: string, workflowId: string): Promise<void>;
  hasEnded(workflowId: string): Promise<boolean>;
  wayOf(workflowId: string): Promise<Way>;
  /** Those of all deployments and their lanes, by the workflow's id. */
  ways(): Promise<ReadonlyMap<string, Way>>;
}

/** The way of a workflow through the builds. */
export interface Way {
  /** Those that did its tasks, without repetitions in a row. */
  readonly builds: readonly string[];
  /** How often a task went to a build that does not replay the workflow. */
  readonly wrongTurns: number;
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
    async bind(buildId, workflowId) {
      const version = { deploymentName: WORKER_DEPLOYMENT, buildId };
      const versioningOverride = { pinned: { behavior: PINNED, version } };
      await within(() =>
        workflowService.updateWorkflowExecutionOptions({
          ...{ namespace, workflowExecution: { workflowId } },
          workflowExecutionOptions: { versioningOverride },
          updateMask: { paths: ['versioning_override'] },
        }),
      ).catch((error: unknown) => {
        const code: number | undefined = isGrpcServiceError(error) ? error.code : undefined;
        if (code !== NOT_FOUND) throw error;
      });
    },
    async hasEnded(workflowId) {
      const { status } = await within(() => temporal.workflow.getHandle(workflowId).describe());
      return status.name !== 'RUNNING';
    },
    async wayOf(workflowId) {
      const history = await within(() => temporal.workflow.getHandle(workflowId).fetchHistory());
      return wayThrough(history.events ?? []);
    },
    async ways() {
      const ways = new Map<string, Way>();
      const query = "WorkflowType IN ('deploy', 'terraform')";
      for await (const { workflowId } of temporal.workflow.list({ query })) {
        ways.set(workflowId, await routing.wayOf(workflowId));
      }
      return ways;
    },
    [Symbol.asyncDispose]: () => connection.close(),
  };
  return routing;
}

function wayThrough(events: readonly HistoryEvent[]): Way {
  const builds = events.flatMap(
    ({ workflowTaskCompletedEventAttributes: completed }) => completed?.deploymentVersion?.buildId ?? [],
  );
  const failures = events.filter(
    ({ workflowTaskFailedEventAttributes: failed }) => Number(failed?.cause) === NONDETERMINISM,
  );
  return { builds: builds.filter((buildId, index) => buildId !== builds[index - 1]), wrongTurns: failures.length };
}
