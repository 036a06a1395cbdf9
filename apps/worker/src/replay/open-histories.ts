/** The histories of an installation's open workflows, a few at a time: ten thousand of them do not fit into memory. */
import { WORKFLOW } from '@nereid/domain/temporal-names';
import {
  isGrpcServiceError,
  WorkflowNotFoundError,
  type Client,
  type WorkflowExecutionInfo,
  type WorkflowHandle,
} from '@temporalio/client';
import { pMapIterable, pMapSkip } from 'p-map';

export type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

export interface OpenWorkflow {
  readonly workflowId: string;
  readonly runId: string;
  readonly type: string;
}

export type Fetched = OpenWorkflow &
  (
    | { readonly kind: 'fetched'; readonly history: History }
    /** Temporal did not give it within a minute. */
    | { readonly kind: 'unread'; readonly why: string }
  );

const TYPES = Object.values(WORKFLOW)
  .map((type) => `'${type}'`)
  .join(', ');

const QUERY = `WorkflowType IN (${TYPES}) AND ExecutionStatus = 'Running'`;

const PAGE_SIZE = 200;

/** A history has at most 50 MB, mostly some hundred KB; replaying one takes longer than fetching it. */
const AT_ONCE = 4;

/** For a page of the list, and for all pages of one history: without it, the client would ask a Temporal that is away for ever. */
const FETCH_MS = 60_000;

/** How many there are, as Temporal's list says, which may be some seconds old. */
export async function countOpen(client: Client): Promise<number> {
  const { count } = await client.withDeadline(Date.now() + FETCH_MS, () => client.workflow.count(QUERY));
  return count;
}

/** Leaves out workflows that are gone by the time they are asked for. */
export function openHistories(client: Client): AsyncIterable<Fetched> {
  return pMapIterable(listOpen(client), (execution) => fetchHistory(client, execution), { concurrency: AT_ONCE });
}

async function* listOpen(client: Client): AsyncGenerator<WorkflowExecutionInfo> {
  const open = client.workflow.list({ query: QUERY, pageSize: PAGE_SIZE })[Symbol.asyncIterator]();
  for (;;) {
    const next = await client.withDeadline(Date.now() + FETCH_MS, () => open.next());
    if (next.done === true) return;
    yield next.value;
  }
}

async function fetchHistory(
  client: Client,
  { workflowId, runId, type }: WorkflowExecutionInfo,
): Promise<Fetched | typeof pMapSkip> {
  const about = { workflowId, runId, type };
  try {
    const handle = client.workflow.getHandle(workflowId, runId);
    const history = await client.withDeadline(Date.now() + FETCH_MS, () => handle.fetchHistory());
    return { ...about, kind: 'fetched', history };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return pMapSkip;
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    if (!isGrpcServiceError(cause)) throw error;
    return { ...about, kind: 'unread', why: cause.details };
  }
}
