import { isFixture, isTypeScript, type Rule } from './source-file.ts';

/** A longer file is no longer one thing that is read at once. */
const LIMIT_LINES = 400;

/** Files that may be longer, and why. */
const LONGER: ReadonlyMap<string, string> = new Map([
  ['package-lock.json', 'is written by npm'],
  ['packages/test-kit/src/cloud/azurite/package-lock.json', 'is written by npm'],
  ['apps/docs/reference/verbs.md', 'is generated from the verbs of the command line'],
  ['packages/test-kit/src/cloud/requirements.txt', 'is written by uv'],
  ['packages/test-kit/src/fuzz/requirements.txt', 'is written by uv'],
  ['.config/production/worker-seccomp.json', 'lists the calls of the kernel, which runtimes take as one file'],
  ['apps/chart/values.yaml', 'is read by Helm, which takes values as one file'],
  ['apps/chart/values.schema.json', 'is read by Helm, which takes a schema as one file'],
  ['.config/production/grafana/nereid.json', 'is written by Grafana, which takes a dashboard as one file'],
]);

export const filesAreShort: Rule = (files) =>
  files
    .filter((file) => !isFixture(file) && !LONGER.has(file.path) && lines(file.text) > LIMIT_LINES)
    .map(({ path, text }) => `${path}: has ${lines(text)} lines, expected at most ${LIMIT_LINES}; split it by noun`);

function lines(text: string): number {
  return text.split('\n').length - 1;
}

/** In a larger folder, nobody finds a file by looking. The limit is for sources and their tests together. */
const LIMIT_FILES = 20;

export const foldersAreSmall: Rule = (files) => {
  const folders = Map.groupBy(files.filter(isTypeScript), ({ path }) => path.slice(0, path.lastIndexOf('/')));
  return Array.from(folders, ([folder, inside]) => ({ folder, count: inside.length }))
    .filter(({ count }) => count > LIMIT_FILES)
    .map(({ folder, count }) => `${folder}: has ${count} files, expected at most ${LIMIT_FILES}; split it by noun`);
};
