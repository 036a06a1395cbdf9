/** A push to the sample repository, and all that a person does until each of its roots is applied. */
import type { Stack } from '@nereid/local/stack';
import { SAMPLE_NAME, type Files } from './sample-repository.ts';

/** Milliseconds after the push. */
export interface Deployed {
  /** The first check run, and one for each root. */
  readonly firstSignMs: number;
  readonly allSignsMs: number;
  /** Each root is shown as applied. */
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
    const runs = github.checkRuns(SAMPLE_NAME, sha);
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
