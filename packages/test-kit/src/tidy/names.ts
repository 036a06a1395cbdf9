import { isFixture, type Rule } from './source-file.ts';

/** Names that tools look for. */
const GIVEN = new Set([
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'LICENSE',
  'NOTICE',
  'Makefile',
  'Dockerfile',
  'Dockerfile.dockerignore',
  'Chart.yaml',
  'NOTES.txt',
]);

/** Helm makes nothing of a template whose name begins so: it holds parts of others. */
const PART_OF_TEMPLATES = /^_[a-z-]+\.tpl$/;

const KEBAB_CASE = /^\.?[a-z0-9]+([.-][a-z0-9]+)*$/;

/** Words that say nothing about the content, so everything ends up there. */
const SAYS_NOTHING = /^(common|core|helpers?|misc|shared|utils?)(\.|$)/;

/** One spelling of a name, so that nobody has to try two. */
export const namesAreKebabCase: Rule = (files) =>
  files
    .filter((file) => !isFixture(file))
    .filter(({ path }) => segments(path).some((name) => !isNameOfTools(name) && !KEBAB_CASE.test(name)))
    .map(({ path }) => `${path}: a name is kebab-case, like deploy-queue.ts`);

/** A folder or file is found by its noun. */
export const namesSayWhatIsInside: Rule = (files) =>
  files
    .filter(({ path }) => segments(path).some((name) => SAYS_NOTHING.test(name)))
    .map(({ path }) => `${path}: name it after what is inside; this name fits everything`);

function isNameOfTools(name: string): boolean {
  return GIVEN.has(name) || PART_OF_TEMPLATES.test(name);
}

function segments(path: string): readonly string[] {
  return path.split('/');
}
