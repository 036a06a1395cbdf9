/** The failed check run of a revision with an invalid configuration. It lists all problems, so that one commit can fix them. */
import { CONFIG_CHECK_RUN_NAME } from '@nereid/domain/deployment';
import { cutToLimit, fenced, link, plain, type CheckRunContent } from '@nereid/forge';

/** A problem as packages/config reports it. Messages and paths quote the repository's file, so they are hostile. */
export interface ConfigProblem {
  /** `roots[2].dir`; empty for the file as a whole. */
  readonly path: string;
  /** Where the configuration has several files. */
  readonly file?: string;
  /** Counted from 1. */
  readonly line?: number;
  /** What was expected, what was found. */
  readonly message: string;
}

export interface ConfigProblemsSubject {
  readonly headSha: string;
  /** `nereid.yaml` or `atlantis.yaml`. */
  readonly fileName: string;
  /** The file at this revision on the forge's pages. */
  readonly fileUrl: string;
  readonly problems: readonly ConfigProblem[];
}

export function renderConfigProblems({ headSha, fileName, fileUrl, problems }: ConfigProblemsSubject): CheckRunContent {
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  const summary = [
    `Nothing of this revision is deployed: ${link('this file', fileUrl)} has ${count}. ` +
      `A commit that fixes ${problems.length === 1 ? 'it' : 'them'} also deploys the changes in this one.`,
    fenced(
      problems.map((problem) => lineOf(problem, fileName)),
      'text',
    ),
  ].join('\n\n');
  return {
    name: CONFIG_CHECK_RUN_NAME,
    headSha,
    externalId: '',
    detailsUrl: fileUrl,
    status: 'completed',
    conclusion: 'failure',
    title: `${plain(fileName, 100)}: ${count}`,
    summary: cutToLimit(summary, `_There are more problems. Fix these first._`),
    actions: [],
  };
}

function lineOf({ path, file, line, message }: ConfigProblem, fileName: string): string {
  const place = `${file ?? fileName}${line === undefined ? '' : `:${line}`}`;
  return plain([place, path, message].filter((part) => part !== '').join(' '), 1_000);
}
