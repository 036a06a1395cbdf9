/** Asks one check of a wave, once: `control` asks a server itself, and a host for a command. */
import type { CommandCheck, RequestCheck, WaveCheck } from '@nereid/config';
import type { CheckResult } from '@nereid/domain/gates';
import type { Repository } from '@nereid/domain/root';
import type { WorkerContext } from '../../../platform/context.ts';
import type { WaveLeft } from '../find-wave.ts';
import { askHost, type AskHostContext, type CheckAnswerAt } from './ask-host.ts';
import { runCheck } from './run-check.ts';

export type AskContext = AskHostContext & Pick<WorkerContext, 'logger'>;

/** A wave whose roots are deployed, and whose checks have not all passed. */
export interface CheckedWave extends WaveLeft {
  readonly standing: Extract<WaveLeft['standing'], { readonly kind: 'checked' }>;
}

export interface AskedCheck<Check extends WaveCheck = WaveCheck> {
  readonly repository: Repository;
  /** The id of the `Rollout`. */
  readonly rollout: string;
  readonly wave: CheckedWave;
  readonly check: Check;
}

/** Of git and Temporal, to order a command. */
const ORDER_MS = 30_000;

/** Undefined while there is no answer. */
export async function askCheck(
  context: AskContext,
  asked: AskedCheck,
  signal: AbortSignal,
): Promise<CheckResult | undefined> {
  const { wave, check } = asked;
  const found = isCommand(check)
    ? await askOnHost(context, { ...asked, check }, signal)
    : await askServer(context, check);
  if (found === undefined) return undefined;
  const { passes, sentence: answer, at } = found;
  const before = lastResult(wave, check)?.failures ?? 0;
  return { check: check.name, at, failures: passes ? 0 : before + 1, answer };
}

function isCommand(check: WaveCheck): check is CommandCheck {
  return check.target.kind === 'run';
}

async function askServer({ logger }: Pick<AskContext, 'logger'>, check: RequestCheck): Promise<CheckAnswerAt> {
  // Before the answer: one that came before the end of a soak is none from after it.
  const at = new Date().toISOString();
  const answer = await runCheck(check, (err) => {
    logger.warn({ err, check: check.name }, 'a check of a wave has no answer');
  });
  return { ...answer, at };
}

/** What cannot be asked now waits, and holds up no other check. */
async function askOnHost(
  context: AskContext,
  { repository, rollout, wave, check }: AskedCheck<CommandCheck>,
  signal: AbortSignal,
): Promise<CheckAnswerAt | undefined> {
  const last = lastResult(wave, check)?.at;
  const after = Math.max(wave.standing.since, last === undefined ? 0 : Date.parse(last));
  const question = { repository, rollout, wave: wave.number, rootNames: wave.wave.rootNames, check, after };
  try {
    return await askHost(context, question, AbortSignal.any([signal, AbortSignal.timeout(ORDER_MS)]));
  } catch (err) {
    context.logger.warn({ err, check: check.name }, 'a check of a wave cannot be asked now, and waits');
    return undefined;
  }
}

function lastResult({ standing }: CheckedWave, { name }: WaveCheck): CheckResult | undefined {
  return standing.results.find(({ check }) => check === name);
}
