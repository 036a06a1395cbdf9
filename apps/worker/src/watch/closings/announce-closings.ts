/**
 * Says once that a window closes within a day: lanes in which something waits write their check runs again, which say it from then on,
 * and whoever wants to is notified. What is about to close now, and was not at the last look, is news. Nothing of it is kept in a lane.
 */
import { ANNOUNCED_MS, changesBetween, closingFor, type ServerConfig } from '@nereid/config';
import type { LookedAtWindows } from '@nereid/domain/activities';
import type { Deployment } from '@nereid/domain/deployment';
import type { WindowCloses } from '@nereid/domain/events';
import { parseLaneWorkflowId, type LaneRecord } from '@nereid/domain/lane';
import { fullName } from '@nereid/domain/root';
import { digestOf } from '@nereid/signature';
import { isUnreadableRecord } from '@nereid/storage';
import pMap from 'p-map';
import { wakeLane } from '../../lane/signal-lane.ts';
import type { WorkerContext } from '../../platform/context.ts';
import { lanesAtWork, listOpen, stateOf } from '../open-workflows.ts';

type Context = Pick<WorkerContext, 'laneRecords' | 'logger' | 'publish' | 'server' | 'temporal'>;

/** What happened while no worker ran is said as far back. */
const LOOK_BACK_MS = ANNOUNCED_MS;

/** Workers may have different files while one is replaced: what changes from one to the other is said once, not each minute. */
const FILES_KNOWN = 5;

/** Storage and Temporal have others to answer meanwhile. */
const AT_ONCE = 10;

/** Check runs beyond these say it when they are written next. */
const LANES_LIMIT = 2_000;

/**
 * Returns this look, for the next one; the last one if nobody could be told, so that the next one tells it. Only an abort is thrown.
 * `now` is in epoch milliseconds.
 */
export async function announceClosings(
  context: Context,
  last: LookedAtWindows | undefined,
  signal: AbortSignal,
  now: number,
): Promise<LookedAtWindows | undefined> {
  const server = context.server.current();
  const file = digestOf(server.windows);
  const known = filesIn(last);
  const files = [...known.filter((one) => one !== file), file].slice(-FILES_KNOWN);
  const look = { at: new Date(now).toISOString(), files };
  // The first look knows of nothing before it.
  if (last === undefined) return look;
  const since = Math.min(now, Math.max(Date.parse(last.at) || now, now - LOOK_BACK_MS));
  const isOther = !known.includes(file);
  if (!isOther && !isNewsPossible(server, since, now)) return look;
  try {
    await new Announcement(context, { server, since: isOther ? undefined : since, now }).make(signal);
  } catch (error) {
    signal.throwIfAborted();
    context.logger.warn({ err: error }, 'windows that close soon could not be announced');
    return last;
  }
  return look;
}

/** It comes through Temporal. */
function filesIn(last: LookedAtWindows | undefined): readonly string[] {
  const said: unknown = last?.files;
  const files: readonly unknown[] = Array.isArray(said) ? said : [];
  return files.filter((one) => typeof one === 'string').filter(({ length }) => length <= DIGEST_LENGTH);
}

/** Of SHA-256, in hex digits. */
const DIGEST_LENGTH = 64;

/** Most minutes change nothing, and then nobody is asked. */
function isNewsPossible({ windows }: Pick<ServerConfig, 'windows'>, since: number, now: number): boolean {
  return changesBetween(windows, since, now) || changesBetween(windows, since + ANNOUNCED_MS, now + ANNOUNCED_MS);
}

interface Span {
  readonly server: Pick<ServerConfig, 'windows'>;
  /** Absent where other windows held then. Both in epoch milliseconds. */
  readonly since: number | undefined;
  readonly now: number;
}

class Announcement {
  readonly #context: Context;
  readonly #span: Span;
  /** By id. */
  readonly #closings = new Map<string, Omit<WindowCloses, 'kind' | 'id'>>();

  constructor(context: Context, span: Span) {
    this.#context = context;
    this.#span = span;
  }

  async make(signal: AbortSignal): Promise<void> {
    const open = await listOpen(this.#context);
    const states = new Map(open.map((one) => [one.workflowId, stateOf(one)]));
    const lanes = lanesAtWork(open);
    if (lanes.length > LANES_LIMIT)
      this.#context.logger.warn({ lanes: lanes.length }, 'some check runs say later that a window closes');
    const looks = await pMap(
      lanes.slice(0, LANES_LIMIT),
      async ({ workflowId }) => {
        signal.throwIfAborted();
        return this.#lookAt(workflowId, states).catch((error: unknown) => ({ error }));
      },
      { concurrency: AT_ONCE },
    );
    this.#judge(
      looks.flatMap((one) => one ?? []),
      looks.length,
    );
    for (const [id, closing] of this.#closings) await this.#context.publish({ kind: 'closing', id, ...closing });
  }

  /** One lane that cannot be told holds up no other, and is not told again with all others. */
  #judge(failures: readonly { readonly error: unknown }[], asked: number): void {
    const [first] = failures;
    if (first === undefined) return;
    if (failures.length === asked) throw first.error;
    const fields = { err: first.error, count: failures.length };
    this.#context.logger.warn(fields, 'some lanes could not be told of a window that closes soon');
  }

  async #lookAt(laneId: string, states: ReadonlyMap<string, string | undefined>): Promise<void> {
    const record = await this.#read(laneId);
    if (record === undefined) return;
    const { repository, rootName, running, manual, merged } = record;
    const isApplied = running !== undefined && states.get(running.id) === 'applying';
    const waiting = [...(running && !isApplied ? [running] : []), ...manual, ...merged];
    // Each by itself: a later one may be of another directory, or have changes where the first one has none.
    const news = waiting.filter((deployment) => this.#isNews(record, deployment));
    if (news.length === 0) return;
    await wakeLane(this.#context, repository, rootName, { isToShow: true });
    for (const deployment of news) this.#note(record, deployment);
  }

  async #read(laneId: string): Promise<LaneRecord | undefined> {
    const lane = parseLaneWorkflowId(laneId);
    try {
      return lane && (await this.#context.laneRecords.read(lane, lane.rootName))?.record;
    } catch (error) {
      if (!isUnreadableRecord(error)) throw error;
      return undefined;
    }
  }

  /** Also that it has closed: then the check run says no more that it will. */
  #isNews(record: LaneRecord, deployment: Deployment): boolean {
    const { since, now } = this.#span;
    const before = since === undefined ? undefined : this.#closingAt(record, deployment, since);
    const after = this.#closingAt(record, deployment, now);
    return before?.at !== after?.at || before?.window !== after?.window;
  }

  #closingAt({ repository }: LaneRecord, deployment: Deployment, at: number) {
    return closingFor(this.#span.server, fullName(repository), deployment, at);
  }

  #note(record: LaneRecord, deployment: Deployment): void {
    const closing = this.#closingAt(record, deployment, this.#span.now);
    if (closing === undefined) return;
    const { owner, name } = record.repository;
    const closesAt = new Date(closing.at).toISOString();
    const id = [fullName(record.repository), 'closing', closing.window, closesAt].join(':');
    const waiting = (this.#closings.get(id)?.waiting ?? 0) + 1;
    const { window, clause: sentence } = closing;
    this.#closings.set(id, { repository: { owner, name }, window, closesAt, waiting, sentence });
  }
}
