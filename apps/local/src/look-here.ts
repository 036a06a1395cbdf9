import { SAMPLE_NAME } from './sample/repository.ts';
import type { Stack } from './stack/stack.ts';

/** Where a person looks, as a box. */
export function lookHere({ urls, folders, github }: Stack): readonly string[] {
  const merged = github.pullRequest({ repository: SAMPLE_NAME, number: 1 }).merged;
  const [checkRun] = merged ? github.checkRuns(SAMPLE_NAME, merged.sha) : [];
  const places = [
    ['Merged', `${urls.github}/${SAMPLE_NAME}/commit/${merged?.sha ?? ''}`],
    ['', 'three check runs, with Confirm and Reject'],
    ['Deployment', checkRun?.detailsUrl ? withoutKey(checkRun.detailsUrl) : ''],
    ['', 'its timeline, its plan, its logs as they are written'],
    ['Pull requests', `${urls.github}/${SAMPLE_NAME}/pulls`],
    ['', 'merge the prepared ones, or comment "nereid apply"'],
    ['Temporal', urls.temporalUi],
    ['Logs', folders.logs],
    ['Stop', 'Ctrl-C'],
  ] as const;
  const lines = places.map(([name, what]) => `${name.padEnd(13)}  ${what}`);
  const width = Math.max(...lines.map(({ length }) => length));
  const rule = '─'.repeat(width + 2);
  return [`┌${rule}┐`, ...lines.map((line) => `│ ${line.padEnd(width)} │`), `└${rule}┘`];
}

/** Here the console asks nobody who they are: the key in a link is for those who would be asked. */
function withoutKey(detailsUrl: string): string {
  const url = new URL(detailsUrl);
  url.searchParams.delete('key');
  return url.href;
}
