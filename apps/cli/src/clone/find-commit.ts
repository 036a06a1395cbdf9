/**
 * The commit that a person means. Nereid takes all 40 digits; of anything shorter, the clone in which the person stands says which
 * commit it is, or else the merges that the console has shown lately.
 */
import type { Call } from '../call.ts';
import type { Client } from '../client/client.ts';
import { wrongUsage } from '../exit-code.ts';
import { commitsInClone, type NamedCommit } from './commits-in-clone.ts';
import { isSha } from '../arguments/names.ts';

export const COMMIT_DETAILS =
  'COMMIT is a commit, or the beginning of one. In a clone of the repository, it may be a branch or a tag: it says which commit that is.';

/** As a name would be given to git; nothing that git could take for an option or a pattern. */
const NAME = /^(?!-)(?!.*\.\.)[\w./@+-]{1,200}$/;

/** Fewer digits name nothing. */
const BEGINNING = /^[0-9a-f]{4,40}$/;

/** `repository` is `owner/name`. Throws a sentence when nothing, or more than one commit, has that name. */
export async function findCommit(call: Call, client: Client, repository: string, text: string): Promise<string> {
  if (isSha(text)) return text;
  if (!NAME.test(text)) throw wrongUsage(`expected a commit, a branch or a tag, found ${text}`);
  const inClone = await commitsInClone(call.world, repository, text);
  const found = inClone ?? (await commitsShown(client, repository, text));
  const commits = [...new Set(found.map(({ sha }) => sha))];
  const [sha, ...others] = commits;
  if (sha === undefined) throw wrongUsage(`expected a commit, found ${text}, ${nothingOf(inClone, repository)}`);
  if (others.length > 0) {
    const all = found.map(({ name, sha: one }) => `${one} (${name})`).join(', ');
    throw wrongUsage(`expected one commit, found that ${text} is ${all}; write the one that you mean`);
  }
  call.notes.line(`${text} is ${sha} (${found.map(({ name }) => name).join(', ')}).`);
  return sha;
}

function nothingOf(inClone: readonly NamedCommit[] | undefined, repository: string): string {
  if (inClone !== undefined) return `of which this clone of ${repository} knows nothing; git fetch may bring it`;
  return `which no merge of the last days begins with; write its 40 digits, or call nereid in a clone of ${repository}`;
}

async function commitsShown(client: Client, repository: string, text: string): Promise<readonly NamedCommit[]> {
  if (!BEGINNING.test(text)) return [];
  const { items } = (await client.get('listRollouts')).value;
  return items
    .filter((one) => one.repository.toLowerCase() === repository.toLowerCase() && one.sha.startsWith(text))
    .map(({ sha, title }) => ({ sha, name: `“${title}”` }));
}
