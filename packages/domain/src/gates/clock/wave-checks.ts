/** The checks of a wave: what came of them while it soaks, and what follows from that. Times are in epoch milliseconds, but in records. */
import type { Repository } from '../../root/repository.ts';

/** As the server's file has it. */
export interface CheckRule {
  /** Said to people; unique in its wave. */
  readonly name: string;
  readonly everyMs: number;
  /** So many in a row halt the rollout. */
  readonly failures: number;
}

/** The results of the checks of a wave, as control signs them. */
export interface WaveChecks {
  readonly version: 1;
  readonly repository: Pick<Repository, 'owner' | 'name'>;
  /** The id of the `Rollout`. */
  readonly rollout: string;
  /** From 1. */
  readonly wave: number;
  /** When the soak began that these are about, ISO 8601. */
  readonly since: string;
  readonly state: 'checking' | 'passed' | 'halted';
  /** The name of the check that has failed too often; present where the state is `halted`. */
  readonly haltedBy?: string;
  /** When the state was found, ISO 8601. */
  readonly at: string;
  readonly results: readonly CheckResult[];
}

export interface CheckResult {
  /** The name of the check. */
  readonly check: string;
  /** When it was asked last, ISO 8601. */
  readonly at: string;
  /** How often it has failed in a row; 0 of one that passes. */
  readonly failures: number;
  /** Its last answer, for people: "answered 500, expected 200 to 299". */
  readonly answer: string;
}

/** The soak that checks are about. */
export interface CheckedSoak {
  readonly since: number;
  readonly until: number;
  /** Of this soak. */
  readonly results: readonly CheckResult[];
}

/** Whether it is to be asked now. Each is asked once more at the end of the soak, so that no soak is too short for it. */
export function isCheckDue(rule: CheckRule, { until, results }: CheckedSoak, now: number): boolean {
  const last = resultOf(rule, results);
  if (last === undefined) return true;
  if (hasPassed(last, until)) return false;
  const at = Date.parse(last.at);
  return now >= at + rule.everyMs || (at < until && until <= now);
}

/** The state after these results. A check without a result is waited for. */
export function stateOfChecks(
  rules: readonly CheckRule[],
  { until, results }: Pick<CheckedSoak, 'until' | 'results'>,
): Pick<WaveChecks, 'state' | 'haltedBy'> {
  const last = rules.map((rule) => ({ rule, result: resultOf(rule, results) }));
  const halting = last.find(({ rule, result }) => result !== undefined && result.failures >= rule.failures);
  if (halting !== undefined) return { state: 'halted', haltedBy: halting.rule.name };
  const isOver = last.every(({ result }) => result !== undefined && hasPassed(result, until));
  return { state: isOver ? 'passed' : 'checking' };
}

/**
 * The last result of the check that halts the rollout; undefined where none does. A check that the file no longer has halts nothing.
 * The one that did halt it halts it whatever the file says of its failures by now: only a deployment resumes that.
 */
export function haltingCheck(
  rules: readonly CheckRule[],
  { state, haltedBy, results }: Pick<WaveChecks, 'state' | 'haltedBy' | 'results'>,
): CheckResult | undefined {
  if (state !== 'halted') return undefined;
  const failed = rules.flatMap((rule) => {
    const result = resultOf(rule, results);
    return result !== undefined && (rule.name === haltedBy || result.failures >= rule.failures) ? [result] : [];
  });
  return failed.find(({ check }) => check === haltedBy) ?? failed[0];
}

/** "errors has failed 1 of 3 times: answered 500", of the one that is nearest to halting the rollout. */
export function describeChecks(rules: readonly CheckRule[], { until, results }: CheckedSoak, now: number): string {
  const failing = rules.flatMap((rule) => {
    const { failures = 0, answer = '' } = resultOf(rule, results) ?? {};
    return failures === 0 ? [] : [{ left: rule.failures - failures, failures, answer, rule }];
  });
  const [worst] = failing.toSorted((one, other) => one.left - other.left);
  if (worst !== undefined)
    return `the check ${worst.rule.name} has failed ${worst.failures} of ${worst.rule.failures} times: ${worst.answer}`;
  const left = rules.find((rule) => {
    const last = resultOf(rule, results);
    return last === undefined || (until <= now && !hasPassed(last, until));
  });
  return left === undefined ? 'its checks pass so far' : `the check ${left.name} has not answered yet`;
}

function resultOf({ name }: Pick<CheckRule, 'name'>, results: readonly CheckResult[]): CheckResult | undefined {
  return results.find(({ check }) => check === name);
}

/** At the end of the soak. What passed before that may have broken since. */
function hasPassed({ failures, at }: CheckResult, until: number): boolean {
  return failures === 0 && Date.parse(at) >= until;
}
