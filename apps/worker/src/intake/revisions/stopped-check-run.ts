import { checkRunName } from '@nereid/domain/deployment';
import type { Repository } from '@nereid/domain/root';
import type { IntakeCall } from '../intake-call.ts';
import type { StoppedRoot } from './renamed-roots.ts';

/** Writes the failed check run of each root, or overwrites the one of an earlier attempt. Its **Re-run** deploys the root. */
export async function showStopped(
  { context: { forge } }: IntakeCall,
  repository: Repository,
  headSha: string,
  stopped: readonly StoppedRoot[],
): Promise<void> {
  for (const { name, sentence } of stopped) {
    const content = {
      name: checkRunName(name),
      headSha,
      externalId: '',
      status: 'completed',
      conclusion: 'failure',
      title: 'Not deployed: a record of Nereid is broken',
      summary: sentence,
      actions: [],
    } as const;
    await forge.status.create(repository, content, { creationUncertain: true });
  }
}
