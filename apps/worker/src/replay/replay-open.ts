/**
 * Replays the histories of an installation's open workflows with the workflow code of one build: code that decides otherwise
 * than a history leaves its workflow stuck. It only reads, and can run beside the workers of any release.
 */
import type { Client } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { Worker, type WorkflowBundleOption } from '@temporalio/worker';
import { describeBreak, type Difference } from './describe-break.ts';
import { countOpen, openHistories, type Fetched, type History, type OpenWorkflow } from './open-histories.ts';

export interface ReplayOptions {
  readonly client: Client;
  /** Of the workers that wrote the histories. */
  readonly dataConverter: DataConverter;
  readonly workflowBundle: WorkflowBundleOption;
  /** No history is begun after this time. */
  readonly withinMs: number;
  /** Progress, at most every few seconds. */
  readonly report: (line: string) => void;
}

export type Break = OpenWorkflow & Difference;
export type Unread = OpenWorkflow & { readonly why: string };

export interface Replayed {
  /** Those that were replayed, the broken among them. */
  readonly count: number;
  readonly broken: readonly Break[];
  readonly unread: readonly Unread[];
  /** Whether time ran out before the last of them. */
  readonly isCutShort: boolean;
}

const REPORT_EVERY_MS = 5_000;

export async function replayOpen(options: ReplayOptions): Promise<Replayed> {
  const { client, dataConverter, workflowBundle, report } = options;
  const deadline = Date.now() + options.withinMs;
  const total = await countOpen(client);
  const found = { count: 0, broken: [] as Break[], unread: [] as Unread[], isCutShort: false };
  let current: Extract<Fetched, { kind: 'fetched' }> | undefined;
  let reportAt = Date.now() + REPORT_EVERY_MS;

  /** The library replays one after the other, and takes the next when it is done with one. */
  async function* readable() {
    for await (const fetched of openHistories(client)) {
      if (Date.now() > deadline) {
        found.isCutShort = true;
        return;
      }
      if (Date.now() > reportAt) {
        report(`replayed ${found.count} of about ${total} open workflows`);
        reportAt = Date.now() + REPORT_EVERY_MS;
      }
      if (fetched.kind === 'unread') found.unread.push(fetched);
      else if (!hasDecided(fetched)) found.count += 1;
      else yield (current = fetched);
    }
  }

  for await (const { error } of Worker.runReplayHistories({ workflowBundle, dataConverter }, readable())) {
    found.count += 1;
    if (error && current) {
      const { workflowId, runId, type, history } = current;
      found.broken.push({ workflowId, runId, type, ...describeBreak(error.message, history) });
    }
  }
  return found;
}

/** Before the end of its first task, a workflow can begin with any code, and the library would wait for that end. */
function hasDecided({ history }: { readonly history: History }): boolean {
  return history.events?.some(({ workflowTaskCompletedEventAttributes: completed }) => completed) === true;
}
