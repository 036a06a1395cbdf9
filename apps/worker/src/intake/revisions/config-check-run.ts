/** The check run `nereid/config`, which shows the problems of a revision's configuration. */
import { CONFIG_CHECK_RUN_NAME, fullName, type IntakeResult, type Repository } from '@nereid/contracts';
import type { Problem } from '@nereid/config';
import { renderConfigProblems } from '@nereid/github';
import type { IntakeCall } from '../intake-call.ts';
import { refused } from '../results.ts';

/** The first of these that a revision has is the one that counts. */
const FILES = ['nereid.yaml', 'atlantis.yaml'] as const;

/** Writes the failed check run, or overwrites the one of an earlier attempt. */
export async function showConfigProblems(
  call: IntakeCall,
  repository: Repository,
  headSha: string,
  problems: readonly Problem[],
): Promise<IntakeResult> {
  const { context } = call;
  const fileName = await configFileName(call, repository, headSha);
  const fileUrl = `${context.config.github.url}/${fullName(repository)}/blob/${headSha}/${fileName}`;
  const content = renderConfigProblems({ headSha, fileName, fileUrl, problems });
  await context.github.checkRuns.create(repository, content, { creationUncertain: true });
  return refused(`nothing is deployed: ${fileName} has ${problems.length} problem(s), listed on its check run`);
}

export async function configFileName(
  { context, signal }: IntakeCall,
  repository: Repository,
  sha: string,
): Promise<string> {
  const present = new Set((await context.mirrors.listFiles(repository, sha, signal)).map(({ path }) => path));
  return FILES.find((file) => present.has(file)) ?? FILES[0];
}

/** The earlier problems are gone, because the server's configuration changed. */
export async function showConfigFine(
  { context }: IntakeCall,
  repository: Repository,
  headSha: string,
  checkRunId: number,
): Promise<void> {
  await context.github.checkRuns.update(repository, checkRunId, {
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
