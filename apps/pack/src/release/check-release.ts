/** What keeps a commit from being the release that its tag says. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseDocument } from 'yaml';
import { readRepository } from '../repository.ts';
import { CHANGELOG, notesOf } from './changelog.ts';
import { readChanges } from './changes.ts';

/** Sentences; none where the commit may be released. Without a tag, that it may be tagged. */
export async function problemsOfRelease(top: string, tag?: string): Promise<readonly string[]> {
  const { version, workspaces } = await readRepository(top);
  const read = (file: string) => readFile(path.join(top, file), 'utf8');
  const chart = parseDocument(await read('apps/chart/Chart.yaml'));
  const manifests = workspaces.map(async ({ folder }) => {
    const found = (JSON.parse(await read(`${folder}/package.json`)) as { readonly version: string }).version;
    return found === version ? [] : [`${folder}/package.json: expected ${version}, found ${found}`];
  });
  const changes = await readChanges(top);
  return [
    ...(tag === undefined || tag === `v${version}` ? [] : [`the tag: expected v${version}, found ${tag}`]),
    ...['version', 'appVersion'].flatMap((name) => {
      const found = String(chart.get(name));
      return found === version ? [] : [`apps/chart/Chart.yaml: expected ${version} as ${name}, found ${found}`];
    }),
    ...(await Promise.all(manifests)).flat(),
    ...(notesOf(await read(CHANGELOG), version) === undefined
      ? [`${CHANGELOG}: expected a section ${version}, found none; run make version`]
      : []),
    ...changes.map(({ file }) => `${file}: expected to be in ${CHANGELOG}; run make version`),
  ];
}
