import type { Rule, SourceFile } from './source-file.ts';

const LAYERS = ['apps', 'packages', 'workflows'] as const;

/**
 * A layer's README has a line for each workspace, `| [name](name) | … |`, and for nothing else. The workflows are one
 * workspace: theirs has a line for each folder, `| [name](src/name) | … |`.
 */
export const layersListTheirWorkspaces: Rule = (files) =>
  LAYERS.flatMap((layer) => {
    const listed = listedIn(files.find(({ path }) => path === `${layer}/README.md`));
    const present = workspacesOf(layer, files);
    return [
      ...missing(present, listed).map((name) => `${layer}/README.md: has no line | [${name}](${name}) | … |`),
      ...missing(listed, present).map((name) => `${layer}/README.md: lists ${name}, which has no sources`),
    ];
  });

function workspacesOf(layer: string, files: readonly SourceFile[]): ReadonlySet<string> {
  const source = layer === 'workflows' ? /^workflows\/src\/([^/]+)\// : new RegExp(`^${layer}/([^/]+)/src/`);
  return new Set(files.flatMap(({ path }) => source.exec(path)?.[1] ?? []));
}

function listedIn(readme: SourceFile | undefined): ReadonlySet<string> {
  const lines = readme?.text.matchAll(/^\| \[([a-z0-9-]+)\]\((?:src\/)?\1\) +\|/gm) ?? [];
  return new Set(Array.from(lines, ([, name]) => name ?? ''));
}

function missing(wanted: ReadonlySet<string>, present: ReadonlySet<string>): readonly string[] {
  return [...wanted].filter((name) => !present.has(name));
}
