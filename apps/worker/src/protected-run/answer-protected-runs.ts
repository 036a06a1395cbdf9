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
import { createJudge } from './judge-run.ts';
import type { KnownNames } from './judged-commit.ts';

/** The watch also raises alarms: what is left is the next look's, a minute later. */
const LOOK_MS = 30_000;

const REPOSITORIES_AT_ONCE = 4;

/** Each is the names of some roots. */
const KNOWN_NAMES = 2_000;

/** Returns a function that looks at all runs, once a minute. Only an abort is thrown. `now` is in epoch milliseconds. */
export function createAnswerProtectedRuns(context: WorkerContext): (signal: AbortSignal, now: number) => Promise<void> {
  const known = new LRUCache<string, ReadonlySet<string>>({ max: KNOWN_NAMES });
  let server: ServerConfig | undefined;

  return async (signal, now) => {
    const current = context.server.current();
    if (current !== server) known.clear();
    server = current;
    if (server.protectionRules.length === 0) return;
    const tools = { context, signal: AbortSignal.any([signal, AbortSignal.timeout(LOOK_MS)]) };
    try {
      const runs = await listGenuine(context);
      const ofRepositories = Map.groupBy(runs, ({ received }) => fullName(received.body.event.repository)).values();
      await pMap(ofRepositories, (some) => answerAll(tools, some, known, now), { concurrency: REPOSITORIES_AT_ONCE });
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

/** What fails for one run holds up no other; what the forge does not take for one, it takes for none. */
async function answerAll(
  tools: RevisionTools,
  runs: readonly ProtectedRun[],
  known: KnownNames,
  now: number,
): Promise<void> {
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
      if (error instanceof ForgeUnavailableError || error instanceof ForgeRefusedError) return;
    }
  }
}
