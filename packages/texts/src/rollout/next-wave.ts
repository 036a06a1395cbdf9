/**
 * Why the next wave of a rollout has not begun, and what lets it begin: "The next wave is halted by wave 1 of 2 (canary): …". The check
 * run of the rollout, its page and a terminal say it. `describeWave` makes the clause, which may quote hostile answers.
 */
import type { WaveBefore } from '@nereid/domain/gates';
import type { Stand } from '@nereid/domain/rollout';

/** The event that lets the next wave begin by itself: the end of a soak, or its checks. */
export type OpenedBy = 'soak' | 'checks';

export function describeNextWave(clause: string, openedBy?: OpenedBy): string {
  const waits = `The next wave ${clause}.`;
  return openedBy === undefined ? waits : `${waits} ${THEN[openedBy]}`;
}

const THEN: Readonly<Record<OpenedBy, string>> = {
  soak: 'Then it begins by itself.',
  checks: 'It begins by itself once these checks have passed. If one keeps failing, the rollout is halted.',
};

/** Undefined while somebody, or another deployment, has to do something first. */
export function openedBy(standing: WaveBefore['standing']): OpenedBy | undefined {
  if (standing.kind === 'checking') return 'checks';
  if (standing.kind !== 'soaking') return undefined;
  return standing.checks === undefined ? 'soak' : 'checks';
}

interface RootOfWave {
  readonly rootName: string;
  readonly deploymentId: string;
  readonly stand: Stand;
}

/** In a terminal. */
interface Rerun {
  readonly rootName: string;
  readonly command: string;
}

/**
 * The re-run that resumes a halted rollout: of the root of its wave that failed or, where only a check did, of the first by name.
 * Undefined where none of them is known, or has ended.
 */
export function rerunThatResumes(wave: readonly RootOfWave[]): Rerun | undefined {
  const [first] = wave
    .filter(({ stand }) => RERUN_FIRST.includes(stand))
    .toSorted((one, other) => rankOf(one) - rankOf(other) || (one.rootName < other.rootName ? -1 : 1));
  return first && { rootName: first.rootName, command: `nereid rerun ${first.deploymentId.slice(0, ID_SHOWN)}` };
}

/** As many digits as tables of deployments have, which the command line understands. */
const ID_SHOWN = 8;

/** One that is under way cannot be re-run. */
const RERUN_FIRST: readonly Stand[] = ['failed', 'left', 'done'];

function rankOf({ stand }: RootOfWave): number {
  return RERUN_FIRST.indexOf(stand);
}
