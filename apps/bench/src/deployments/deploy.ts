/** Pushes to the sample repository, and does all that a person would do until each of its roots is applied. */
import type { Stack } from '@nereid/local/stack';
import { SAMPLE_NAME, type Files } from './sample-repository.ts';

/** In milliseconds after the push. */
export interface Deployed {
  /** When the first check run is there, and when every root has one. */
  readonly firstSignMs: number;
  readonly allSignsMs: number;
  /** When every root is shown as applied. */
  readonly shownMs: number;
}

/** Presses each Confirm as soon as it is there. */
export async function deploy({ github }: Stack, roots: number, files: Files, deadlineMs: number): Promise<Deployed> {
  const start = performance.now();
  const elapsed = () => performance.now() - start;
  const sha = await github.commit({
    repository: SAMPLE_NAME,
    branch: 'main',
    files,
    message: 'Change',
    author: 'alice',
  });
  const pressed = new Set<number>();
  let [firstSignMs, allSignsMs] = [Infinity, Infinity];
  const isApplied = () => {
    const runs = github.checkRuns(SAMPLE_NAME, sha).filter(({ name }) => name.startsWith('nereid/deploy: '));
    if (runs.length > 0) firstSignMs = Math.min(firstSignMs, elapsed());
    if (runs.length >= roots) allSignsMs = Math.min(allSignsMs, elapsed());
    for (const { id, actions } of runs) {
      const confirm = actions.find(({ label }) => label === 'Confirm');
      if (confirm === undefined || pressed.has(id)) continue;
      pressed.add(id);
      github.pressButton(id, confirm.identifier, 'alice');
    }
    return runs.filter(({ output }) => output.title?.startsWith('Applied')).length === roots ? true : undefined;
  };
  await github.waitFor(isApplied, { what: `${roots} roots applied`, deadlineMs });
  return { firstSignMs, allSignsMs, shownMs: elapsed() };
}

/** Requests to GitHub's API since the last reset, without git's. */
export function countRequests({ github }: Stack): number {
  const counts = github.requestCounts().filter(({ route }) => !route.startsWith('git '));
  return counts.reduce((sum, { count }) => sum + count, 0);
}
