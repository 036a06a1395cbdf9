import { SAMPLE_NAME } from './sample/repository.ts';
import type { Stack } from './stack/stack.ts';

/** Where a person looks, as a box. */
export function lookHere({ urls, folders, github }: Stack): readonly string[] {
  const merged = github.pullRequest({ repository: SAMPLE_NAME, number: 1 }).merged;
  const places = [
    ['Merged', `${urls.github}/${SAMPLE_NAME}/commit/${merged?.sha ?? ''}`],
    ['', 'three check runs, with Confirm and Reject; "Details" shows plan and logs'],
    ['Pull requests', `${urls.github}/${SAMPLE_NAME}/pulls`],
    ['', 'merge the prepared ones, or comment "nereid apply"'],
    ['Temporal', urls.temporalUi],
    ['Console', urls.console],
    ['Logs', folders.logs],
    ['Stop', 'Ctrl-C'],
  ] as const;
  const lines = places.map(([name, what]) => `${name.padEnd(13)}  ${what}`);
  const width = Math.max(...lines.map(({ length }) => length));
  const rule = '─'.repeat(width + 2);
  return [`┌${rule}┐`, ...lines.map((line) => `│ ${line.padEnd(width)} │`), `└${rule}┘`];
}
