/**
 * Reminds people of plans that wait for their review, as the server's file says. A wait is known from its own workflow, which is asked
 * when it is seen first, and again before somebody is reminded. Storage keeps what was said in it, so that no other worker says it
 * again.
 */
import { hasReminders, placeOf, policyFor, settingsFor, workedMs } from '@nereid/config';
import { checkRunName, type Deployment } from '@nereid/domain/deployment';
import type { ReviewReminder } from '@nereid/domain/events';
import { dueReminders, NEVER_REMINDED, remindedOf, waitsOf, type Reminded } from '@nereid/domain/gates';
import type { LaneRecord } from '@nereid/domain/lane';
import { fullName, type Repository } from '@nereid/domain/root';
import { SEARCH_ATTRIBUTE, WORKFLOW } from '@nereid/domain/temporal-names';
import type { LastReminded } from '@nereid/storage';
import { titleWithReviewers } from '@nereid/texts';
import { defineSearchAttributeKey } from '@temporalio/common';
import { LRUCache } from 'lru-cache';
import pMap from 'p-map';
import { queryProgress } from '../../lane/find/find-terraform.ts';
import { withProvenWords } from '../../lane/show/proven/proven-words.ts';
import { onlyOrdered } from '../../lane/verify-orders.ts';
import type { WorkerContext } from '../../platform/context.ts';

/** Storage and Temporal have others to answer meanwhile. */
const AT_ONCE = 10;

/** More than all hosts of anybody work on at once. */
const KNOWN = 10_000;

const QUERY = `WorkflowType = '${WORKFLOW.terraform}' AND ExecutionStatus = 'Running' AND ${SEARCH_ATTRIBUTE.state} = 'awaiting-review'`;

const REPOSITORY = defineSearchAttributeKey(SEARCH_ATTRIBUTE.repository, 'KEYWORD');
const ROOT = defineSearchAttributeKey(SEARCH_ATTRIBUTE.root, 'KEYWORD');

/** Where a deployment waits, as Temporal lists it. */
interface Listed {
  readonly deploymentId: string;
  readonly repository: Pick<Repository, 'owner' | 'name'>;
  readonly rootName: string;
}

/** Returns a function that looks at all reviews, once a minute. Only an abort is thrown. `now` is in epoch milliseconds. */
export function createRemindReviewers(context: WorkerContext): (signal: AbortSignal, now: number) => Promise<void> {
  /** When each wait began, by the id of its deployment. */
  const begun = new LRUCache<string, string>({ max: KNOWN });

  return async (signal, now) => {
    try {
      const waiting = await listWaiting(context);
      await pMap(
        waiting,
        async (one) => {
          signal.throwIfAborted();
          await new Wait(context, begun, one).remind(now);
        },
        { concurrency: AT_ONCE, stopOnError: false },
      );
    } catch (error) {
      signal.throwIfAborted();
      context.logger.warn({ err: error }, 'nobody could be reminded of some reviews');
    }
  };
}

/** Of the repositories in which anybody is reminded; Temporal is asked for none where there is no such repository. */
async function listWaiting({ server, temporal }: WorkerContext): Promise<readonly Listed[]> {
  const current = server.current();
  const isReminded = (repository: string) => {
    const policy = policyFor(current, repository);
    return policy !== undefined && hasReminders(policy);
  };
  if (!current.repositories.some(({ settings, roots }) => hasReminders({ settings, rootRules: roots }))) return [];
  const found: Listed[] = [];
  for await (const { workflowId: deploymentId, typedSearchAttributes } of temporal.workflow.list({ query: QUERY })) {
    const repository = typedSearchAttributes.get(REPOSITORY) ?? '';
    const [owner, name] = repository.split('/');
    const rootName = typedSearchAttributes.get(ROOT);
    if (owner && name && rootName !== undefined && isReminded(repository))
      found.push({ deploymentId, repository: { owner, name }, rootName });
  }
  return found;
}

class Wait {
  readonly #context: WorkerContext;
  readonly #begun: LRUCache<string, string>;
  readonly #listed: Listed;

  constructor(context: WorkerContext, begun: LRUCache<string, string>, listed: Listed) {
    this.#context = context;
    this.#begun = begun;
    this.#listed = listed;
  }

  async remind(now: number): Promise<void> {
    const { repository, rootName, deploymentId } = this.#listed;
    const record = (await this.#context.laneRecords.read(repository, rootName))?.record;
    if (record?.running?.id !== deploymentId) return;
    const reminders = this.#remindersOf(record.running);
    if (reminders === undefined) return;
    const known = this.#begun.get(deploymentId) ?? (await this.#askWhenBegun(record));
    if (known === undefined) return;
    const elapsedMs = (since: string) => workedMs(reminders.hours, Date.parse(since), now);
    if (dueReminders(reminders, await this.#readSaid(known), elapsedMs(known)).length === 0) return;

    const waiting = await this.#waitingOf(record, now);
    const since = waiting?.progress.times['awaiting-review'];
    if (waiting === undefined || since === undefined) return;
    const said = await this.#readSaid(since);
    const due = dueReminders(reminders, said, elapsedMs(since));
    const sentence = titleWithReviewers({ deployment: waiting }, now);
    const deployment = due.length === 0 ? waiting : await this.#withCheckRuns(record.repository, waiting);
    for (const { afterMs, team } of due) {
      const event: Omit<ReviewReminder, 'team' | 'sentence'> = {
        kind: 'reminder',
        // The same for another worker that says it because this one could not store that it did.
        id: [deploymentId, 'reminder', since, afterMs, team ?? 'all'].join(':'),
        ...{ repository, deployment, since: new Date(now).toISOString() },
      };
      await this.#context.publish(
        team === undefined ? { ...event, sentence } : { ...event, team, sentence: `For ${team}: ${sentence}` },
      );
    }
    await this.#storeSaid({ deploymentId, since, ...remindedOf(said, due) });
  }

  #remindersOf({ root }: Deployment) {
    const policy = policyFor(this.#context.server.current(), fullName(this.#listed.repository));
    return policy && settingsFor(policy, placeOf(root)).reminders;
  }

  async #askWhenBegun(record: LaneRecord): Promise<string | undefined> {
    return (await this.#ask(record))?.progress.times['awaiting-review'];
  }

  /** The deployment as it stands, with nothing that nobody has signed; undefined when it waits for no person any more. */
  async #waitingOf(record: LaneRecord, now: number): Promise<Deployment | undefined> {
    const deployment = await this.#ask(record);
    if (deployment === undefined) return undefined;
    const [wait] = waitsOf(deployment, {}, now);
    if (wait?.reason !== 'review' && wait?.reason !== 'policy') return undefined;
    const [ordered] = await onlyOrdered(this.#context, record.repository, [{ deployment }]);
    return ordered && (await withProvenWords(this.#context, record.repository, ordered)).deployment;
  }

  /** Those that the forge has: a lane knows them only once its deployment has ended. People are reminded without them, too. */
  async #withCheckRuns(repository: Repository, deployment: Deployment): Promise<Deployment> {
    const { id, revision, root } = deployment;
    const { forge, logger } = this.#context;
    try {
      const found = await forge.status.find(repository, revision.sha, checkRunName(root.name), id);
      return {
        ...deployment,
        checkRuns: found.map(({ id: number, completed }) => ({ id: number, completed })).toReversed(),
      };
    } catch (error) {
      logger.warn({ err: error, deployment: id }, 'a reminder has no link to its check run');
      return deployment;
    }
  }

  async #ask({ running }: LaneRecord): Promise<Deployment | undefined> {
    const { deploymentId } = this.#listed;
    const progress = await queryProgress(this.#context, this.#context.temporal.workflow.getHandle(deploymentId));
    const since = progress?.times['awaiting-review'];
    if (since !== undefined) this.#begun.set(deploymentId, since);
    return running && progress && { ...running, progress };
  }

  /** In the wait that began then. */
  async #readSaid(since: string): Promise<Reminded> {
    const { repository, rootName, deploymentId } = this.#listed;
    const last = await this.#context.reminderRecords.read(repository, rootName);
    return last?.deploymentId === deploymentId && last.since === since ? last : NEVER_REMINDED;
  }

  async #storeSaid(last: LastReminded): Promise<void> {
    const { repository, rootName } = this.#listed;
    await this.#context.reminderRecords.write(repository, rootName, last);
  }
}
