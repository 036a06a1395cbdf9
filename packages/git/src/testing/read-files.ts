import type { FileContent } from '../read/blobs.ts';
import type { TestHost } from './test-host.ts';

/** Contents by path, brought if necessary. */
export async function readFiles(
  { mirrors, repository }: TestHost,
  sha: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, FileContent>> {
  const files = (await mirrors.listFiles(repository, sha)).filter(({ path }) => paths.includes(path));
  const tree = mirrors.tree(repository, sha);
  const blobs = [...new Set(files.map(({ blob }) => blob))];
  await tree.fetch(blobs);
  const contents = await tree.contents(blobs);
  return new Map(
    files.flatMap(({ path, blob }) => {
      const content = contents.get(blob);
      return content ? [[path, content] as const] : [];
    }),
  );
}
