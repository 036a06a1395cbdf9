/** The check run `nereid/config`, which shows the problems of a revision's configuration. */
import { CONFIG_CHECK_RUN_NAME } from '@nereid/domain/deployment';
import type { IntakeResult } from '@nereid/domain/intake';
import type { Repository } from '@nereid/domain/root';
import type { Problems } from '@nereid/discovery';
import { renderConfigProblems } from '@nereid/texts';
import type { IntakeCall } from '../intake-call.ts';
import { refused } from '../results.ts';

/** Writes the failed check run, or overwrites the one of an earlier attempt. */
export async function showConfigProblems(
  { context }: IntakeCall,
  repository: Repository,
  headSha: string,
  { file: fileName, problems }: Problems,
): Promise<IntakeResult> {
  const fileUrl = context.forge.pages.file(repository, headSha, fileName);
  const content = renderConfigProblems({ headSha, fileName, fileUrl, problems });
  await context.forge.status.create(repository, content, { creationUncertain: true });
  return refused(`nothing is deployed: ${fileName} has ${problems.length} problem(s), listed on its check run`);
}

/** The earlier problems are gone, because the server's configuration changed. */
export async function showConfigFine(
  { context }: IntakeCall,
  repository: Repository,
  headSha: string,
  checkRunId: number,
): Promise<void> {
  await context.forge.status.update(repository, checkRunId, {
    name: CONFIG_CHECK_RUN_NAME,
    headSha,
    externalId: '',
    status: 'completed',
    conclusion: 'success',
    title: 'The configuration is fine',
    summary: 'Each root that this revision modifies has a check run of its own.',
    actions: [],
  });
}
