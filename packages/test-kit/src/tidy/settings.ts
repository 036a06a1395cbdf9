import { isProduct, type Rule, type SourceFile } from './source-file.ts';

const REFERENCE = 'apps/docs/reference/environment.md';

/** The prefix of the variables that Temporal's own library reads. */
const READ_ELSEWHERE = 'TEMPORAL_';

/** An operator finds every variable that a process reads in one table, and none that no process reads. */
export const settingsAreListed: Rule = (files) => {
  const read = namesIn(files.filter(isProduct), /\benv\.[a-zA-Z]+\(\s*'([A-Z][A-Z0-9_]*)'/g);
  const listed = namesIn(
    files.filter(({ path }) => path === REFERENCE),
    /^\| `([A-Z][A-Z0-9_]*)` +\|/gm,
  );
  return [
    ...[...read].filter((name) => !listed.has(name)).map((name) => `${REFERENCE}: has no line | \`${name}\` | … |`),
    ...[...listed]
      .filter((name) => !read.has(name) && !name.startsWith(READ_ELSEWHERE))
      .map((name) => `${REFERENCE}: lists ${name}, which no process reads`),
  ];
};

function namesIn(files: readonly SourceFile[], mention: RegExp): ReadonlySet<string> {
  return new Set(files.flatMap(({ text }) => Array.from(text.matchAll(mention), ([, name]) => name ?? '')));
}
