import type { OpenedSink } from '@nereid/audit';
import type { DeploymentRecord } from '@nereid/domain/deployment';
import type { MirrorsOptions } from '@nereid/git';
import { measureStores } from '@nereid/process';
import type { StoreRequest } from '@nereid/storage';
import { Counter, Registry } from 'prom-client';
import { ENVELOPE_KINDS } from '@nereid/domain/envelope';
import { measureAudit } from './audit-metrics.ts';
import { measureDeployments } from './deployment-metrics.ts';
import { measureFetches } from './git-metrics.ts';
import { measureGitHub, type GitHubMetrics } from './github-metrics.ts';
import { measureRetention, type OnSwept } from './retention-metrics.ts';
import { measureIntake, type Taken } from './intake-metrics.ts';
import { measureNotifications, type NotificationMetrics } from './notification-metrics.ts';
import { measureStuck } from './stuck-metrics.ts';
import { measureWaits, type FoundWaits } from './wait-metrics.ts';

export interface Metrics {
  readonly registry: Registry;
  readonly github: GitHubMetrics;
  readonly onIntake: (taken: Taken) => void;
  readonly forged: Counter<'kind'>;
  /** Records the number of stuck workflows, by type. */
  readonly onStuckWorkflows: (counts: Readonly<Record<string, number>>) => void;
  readonly onWaits: (found: FoundWaits) => void;
  readonly onDeploymentEnded: (record: Pick<DeploymentRecord, 'deployment'>) => void;
  readonly onStoreRequest: (store: StoreName) => (request: StoreRequest) => void;
  /** The same audit trail, whose events are counted. */
  readonly measuredAudit: (place: OpenedSink) => OpenedSink;
  readonly onSwept: OnSwept;
  readonly notifications: NotificationMetrics;
  readonly onFetch: Required<MirrorsOptions>['onFetch'];
}

/** As in the server's file. */
const STORES = ['deployments', 'plans', 'logs'] as const;

type StoreName = (typeof STORES)[number];

/** The values of every label are bounded: routes carry the names of their parameters, never the values. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  return {
    registry,
    github: measureGitHub(registry),
    onIntake: measureIntake(registry),
    forged: countForged(registry),
    onStuckWorkflows: measureStuck(registry),
    onWaits: measureWaits(registry),
    onDeploymentEnded: measureDeployments(registry),
    onStoreRequest: measureStores(registry, STORES),
    measuredAudit: measureAudit(registry),
    onSwept: measureRetention(registry),
    notifications: measureNotifications(registry),
    onFetch: measureFetches(registry),
  };
}

function countForged(registry: Registry): Metrics['forged'] {
  const forged = new Counter({
    name: 'nereid_forged_total',
    help: 'Messages and jobs whose signature was missing or wrong, by kind.',
    labelNames: ['kind'],
    registers: [registry],
  });
  // Prometheus sees no increase in a series that begins with it, and a single one matters.
  for (const kind of ENVELOPE_KINDS) forged.inc({ kind }, 0);
  return forged;
}
