/** Answers the runs of GitHub Actions that wait for roots, as `protection_rules` of the server's file say. */
import type { ServerConfig } from '@nereid/config';
import type { ProtectedRun } from '@nereid/domain/intake';
import { fullName } from '@nereid/domain/root';
import { ForgeRefusedError, ForgeUnavailableError } from '@nereid/forge';
import { LRUCache } from 'lru-cache';
import pMap from 'p-map';
import type { WorkerContext } from '../platform/context.ts';
import type { RevisionTools } from '../root/revision-tools.ts';
import { answerRun } from './answer-run.ts';
import { createForgetEnded, type ForgetEnded } from './forget-ended.ts';
import { createJudge } from './judge-run.ts';
import type { KnownMatches, Matches } from './judged-commit.ts';

/** The watch also raises alarms: what is left is the next look's, a minute later. */
const LOOK_MS = 30_000;

const REPOSITORIES_AT_ONCE = 4;

/** Each is the names of some roots. */
const KNOWN_MATCHES = 2_000;

/** Returns a function that looks at all runs, once a minute. Only an abort is thrown. `now` is in epoch milliseconds. */
export function createAnswerProtectedRuns(context: WorkerContext): (signal: AbortSignal, now: number) => Promise<void> {
  const known = new LRUCache<string, Matches>({ max: KNOWN_MATCHES });
  const forgetEnded = createForgetEnded();
  let server: ServerConfig | undefined;

  return async (signal, now) => {
    const current = context.server.current();
    if (current !== server) known.clear();
    server = current;
    if (server.protectionRules.length === 0) return;
    const tools = { context, signal: AbortSignal.any([signal, AbortSignal.timeout(LOOK_MS)]) };
    try {
      const runs = await withoutOvertaken(context, await listGenuine(context));
      const ofRepositories = Map.groupBy(runs, ({ received }) => fullName(received.body.event.repository)).values();
      const answer = (some: readonly ProtectedRun[]) => answerAll(tools, some, { known, forgetEnded, now });
      await pMap(ofRepositories, answer, { concurrency: REPOSITORIES_AT_ONCE });
    } catch (error) {
      signal.throwIfAborted();
      context.logger.warn({ err: error }, 'runs that wait for roots could not be looked at');
    }
  };
}

/** Those that the gateway has signed: nobody puts another commit in the place of a run's own. */
async function listGenuine({ protectedRuns, signatures, logger }: WorkerContext): Promise<readonly ProtectedRun[]> {
  const runs = await protectedRuns.list((err) => {
    logger.warn({ err }, 'a run that waits for roots cannot be read');
  });
  const genuine: ProtectedRun[] = [];
  for (const run of runs) {
    if ((await signatures.openIfGenuine('event/github', run.received, {})) !== undefined) genuine.push(run);
    else await protectedRuns.remove(run);
  }
  return genuine;
}

/** Only the newest attempt of a run waits; all jobs of it for one environment get one answer. */
async function withoutOvertaken(
  { protectedRuns }: Pick<WorkerContext, 'protectedRuns'>,
  runs: readonly ProtectedRun[],
): Promise<readonly ProtectedRun[]> {
  const newest = new Map<string, ProtectedRun>();
  for (const run of runs) {
    const { repository, runId, environment, deploymentId } = run.received.body.event;
    const key = JSON.stringify([fullName(repository), runId, environment.toLowerCase()]);
    const other = newest.get(key);
    const isOvertaken = other !== undefined && other.received.body.event.deploymentId > deploymentId;
    const overtaken = isOvertaken ? run : other;
    if (!isOvertaken) newest.set(key, run);
    if (overtaken !== undefined) await protectedRuns.remove(overtaken);
  }
  return [...newest.values()];
}

interface Look {
  readonly known: KnownMatches;
  readonly forgetEnded: ForgetEnded;
  readonly now: number;
}

/** What fails for one run holds up no other, unless the forge takes nothing of us. */
async function answerAll(
  tools: RevisionTools,
  all: readonly ProtectedRun[],
  { known, forgetEnded, now }: Look,
): Promise<void> {
  const runs = await forgetEnded(tools, all, now);
  const [any] = runs;
  if (any === undefined) return;
  const judgeRun = createJudge(tools, any.received.body.event.repository, known);
  // What keeps the branch from being read keeps all runs from it: it is logged once.
  const told = new Set<unknown>();
  // A look that is cut off begins elsewhere the next time.
  const first = Math.floor(Math.random() * runs.length);
  for (const run of [...runs.slice(first), ...runs.slice(0, first)]) {
    if (tools.signal.aborted) return;
    try {
      await answerRun(tools, run, judgeRun, now);
    } catch (error) {
      const { repository, runId } = run.received.body.event;
      const fields = { err: error, repository: fullName(repository), run: runId };
      if (!told.has(error)) tools.context.logger.warn(fields, 'a run that waits for roots could not be answered');
      told.add(error);
      if (error instanceof ForgeUnavailableError || (error instanceof ForgeRefusedError && error.status === 403))
        return;
    }
  }
}
