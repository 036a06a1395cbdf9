/** The repository's file at a revision, with the files that it includes. */
import {
  createIsIncluded,
  includedProblem,
  includesOf,
  NO_REPOSITORY_CONFIG,
  printable,
  readRepositoryConfig,
  type IncludedFile,
  type RepositoryConfigRead,
  type RepositoryPolicy,
} from '@nereid/config';
import type { RevisionTree, TreeFile } from '@nereid/git';
import { CONFIG_FILES, isConfigFile, type ConfigFile } from '../config-files.ts';
import type { TreeSurvey } from '../tree-survey.ts';

export interface ConfigOfRevision {
  readonly read: RepositoryConfigRead;
  /** Undefined when the revision has none. */
  readonly file: ConfigFile | undefined;
  /** Whether a path is one of its files: those of other revisions too, as far as the patterns are the same. */
  readonly isConfigFile: (path: string) => boolean;
}

type Tree = Pick<RevisionTree, 'contents'>;

export async function readConfig(tree: Tree, survey: TreeSurvey, policy: RepositoryPolicy): Promise<ConfigOfRevision> {
  const file = CONFIG_FILES.find((name) => survey.top.has(name));
  const found = file && survey.top.get(file);
  if (file === undefined || found === undefined)
    return { read: { kind: 'ok', config: NO_REPOSITORY_CONFIG, warnings: [] }, file, isConfigFile };
  const [main] = await textsOf(tree, [found]);
  if (typeof main !== 'object') return { read: invalid(main), file, isConfigFile };
  const isIncluded = createIsIncluded(file === 'nereid.yaml' ? includesOf(main.text) : []);
  const included = await readIncluded(tree, survey, isIncluded);
  return {
    read:
      typeof included === 'string'
        ? invalid(included)
        : readRepositoryConfig({ file, text: main.text, included, policy }),
    file,
    isConfigFile: (path) => isConfigFile(path) || isIncluded(path),
  };
}

/** In the order of their paths; or what is wrong with one. */
async function readIncluded(
  tree: Tree,
  { files }: TreeSurvey,
  isIncluded: (path: string) => boolean,
): Promise<readonly IncludedFile[] | string> {
  const named = files.filter(({ path }) => isIncluded(path)).toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const tooMany = includedProblem(named.length);
  if (tooMany !== undefined) return tooMany;
  const texts = await textsOf(tree, named);
  const wrong = texts.find((text) => typeof text === 'string');
  if (wrong !== undefined) return wrong;
  const read = texts.filter((text) => typeof text === 'object');
  return (
    includedProblem(
      read.length,
      read.map(({ text }) => text),
    ) ?? read
  );
}

async function textsOf(tree: Tree, files: readonly TreeFile[]): Promise<readonly (IncludedFile | string)[]> {
  const contents = await tree.contents(files.filter(({ kind }) => kind === 'file').map(({ blob }) => blob));
  return files.map(({ path, blob, kind }) => {
    const name = printable(path.slice(0, PATH_SHOWN));
    if (kind !== 'file')
      return `expected ${name} to be a file, found a ${kind === 'link' ? 'symbolic link' : kind}; put the configuration itself there`;
    const content = contents.get(blob);
    if (content?.kind === 'text') return { path, text: content.text };
    const found = content ? `${content.sizeBytes} bytes` : 'nothing that could be read';
    return `expected ${name} to have at most 1 MiB, found ${found}; make it smaller`;
  });
}

/** Enough to recognise it. */
const PATH_SHOWN = 200;

function invalid(message = 'expected a file, found none'): RepositoryConfigRead {
  return { kind: 'invalid', problems: [{ path: '', message }] };
}
