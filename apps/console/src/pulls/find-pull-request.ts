/**
 * Gathers the plans of a pull request: its record says which count, each has a record of its own, and the workflows of those that
 * are under way know how far they are.
 */
import type { PullRequestName } from '@nereid/domain/console';
import { hasEnded } from '@nereid/domain/deployment';
import {
  pullRequestWorkflowId,
  type PreviewRef,
  type PullRequestRecord,
  type PreviewRecord,
} from '@nereid/domain/pull-request';
import { pressableOn } from '@nereid/texts';
import type { TemporalProbe } from '@nereid/process';
import type { PullRequestRecords } from '@nereid/storage';
import type { Logger } from 'pino';
import type { Source } from '../deployments/deployment-view.ts';
import type { LinkSettings } from '../deployments/find/deployment-links.ts';
import { createPatience } from '../platform/in-time.ts';
import type { AskProgress } from '../platform/temporal/ask-workflows.ts';
import { createBriefMemory } from './brief-memory.ts';
import type { PullRequestView } from './pull-request-view.ts';
import { viewOf, type KnownPreview } from './view-of.ts';

export type FindPullRequest = (name: PullRequestName) => Promise<FoundPullRequest>;

export type FoundPullRequest =
  | { readonly kind: 'found'; readonly view: PullRequestView }
  | { readonly kind: 'absent' }
  /** Storage did not answer. */
  | { readonly kind: 'unavailable' };

export interface PullRequestSources {
  readonly askProgress: AskProgress;
  readonly isTemporalReachable: TemporalProbe;
  readonly pullRequestRecords: Pick<PullRequestRecords, 'read' | 'readPreview'>;
  readonly links: LinkSettings;
  readonly logger: Pick<Logger, 'error'>;
  /** How long a page waits for storage, in milliseconds. */
  readonly patienceMs: number;
}

/** All pages that are open ask when something has changed; so however many there are, it is looked up at most once a second. */
const VIEW_MS = 1_000;
const VIEWS_LIMIT = 1_000;

/** A plan that has ended, and that nobody may press a button of, does not change. Those of ten of the largest pull requests are kept, at some KB each. */
const ENDED_MS = 60_000;
const ENDED_LIMIT = 1_000;

/** A workflow answers a query by a task of a worker. Those of more plans are under way, and their pages say how far. */
const ASKED_LIMIT = 20;

type ReadPreview = (pull: PullRequestName, ref: PreviewRef) => Promise<PreviewRecord | undefined>;

export function createFindPullRequest(sources: PullRequestSources): FindPullRequest {
  const views = createBriefMemory<FoundPullRequest>(VIEW_MS, VIEWS_LIMIT);
  const ended = createBriefMemory<PreviewRecord | undefined>(ENDED_MS, ENDED_LIMIT);
  const readPreview: ReadPreview = (pull, { rootName, deploymentId }) =>
    ended.ask(
      deploymentId,
      () => sources.pullRequestRecords.readPreview(pull, rootName, deploymentId),
      (record) => record?.endedAt !== undefined && pressableOn(record).length === 0,
    );
  return (pull) => views.ask(pullRequestWorkflowId(pull, pull), () => find(sources, readPreview, pull));
}

async function find(
  sources: PullRequestSources,
  readPreview: ReadPreview,
  pull: PullRequestName,
): Promise<FoundPullRequest> {
  const patience = createPatience(sources.patienceMs);
  let record: PullRequestRecord | undefined;
  try {
    record = await patience.ask(() => sources.pullRequestRecords.read(pull, { number: pull.number }));
  } catch (error) {
    sources.logger.error({ err: error }, 'storage could not be read');
    return { kind: 'unavailable' };
  }
  if (record === undefined) return { kind: 'absent' };
  const { look, lastPreviews = [] } = record;
  const refs = look?.isOpen === false ? lastPreviews : look?.previews;
  const readInTime: ReadPreview = (...asked) => patience.ask(() => readPreview(...asked));
  const stored = await readPreviews(sources, readInTime, pull, refs ?? []);
  const { previews, isSilent } = await withProgress(sources, stored);
  const unavailable: Source[] = [
    ...(isSilent ? [(await sources.isTemporalReachable()) ? ('workers' as const) : ('temporal' as const)] : []),
    ...(stored.some(({ isUnread }) => isUnread) ? (['storage'] as const) : []),
  ];
  return { kind: 'found', view: viewOf(sources, pull, { record, previews, unavailable }) };
}

/** In the order of their names. */
async function readPreviews(
  { logger }: PullRequestSources,
  readPreview: ReadPreview,
  pull: PullRequestName,
  refs: readonly PreviewRef[],
): Promise<readonly KnownPreview[]> {
  const sorted = refs.toSorted((one, other) => (one.rootName < other.rootName ? -1 : 1));
  return Promise.all(
    sorted.map(async (ref) => {
      try {
        const record = await readPreview(pull, ref);
        return { ref, deployment: record?.deployment, isUnread: false };
      } catch (error) {
        logger.error({ err: error, preview: ref.deploymentId }, 'storage could not be read');
        return { ref, deployment: undefined, isUnread: true };
      }
    }),
  );
}

/** Asks the workflows of those that are under way. */
async function withProgress(
  { askProgress }: PullRequestSources,
  previews: readonly KnownPreview[],
): Promise<{ readonly previews: readonly KnownPreview[]; readonly isSilent: boolean }> {
  const isUnderWay = ({ deployment }: KnownPreview) =>
    deployment !== undefined && !hasEnded(deployment.progress.status);
  const asked = new Set(previews.filter(isUnderWay).slice(0, ASKED_LIMIT));
  let isSilent = false;
  const all = await Promise.all(
    previews.map(async (preview) => {
      const { deployment, ref } = preview;
      if (deployment === undefined || !asked.has(preview)) return preview;
      const answer = await askProgress(ref.deploymentId);
      if (answer.kind === 'unavailable') isSilent = true;
      if (answer.kind !== 'found') return preview;
      const times = { ...deployment.progress.times, ...answer.value.times };
      return { ...preview, isAnswered: true, deployment: { ...deployment, progress: { ...answer.value, times } } };
    }),
  );
  return { previews: all, isSilent };
}
