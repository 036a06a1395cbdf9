/** The story of a merge on a forge that has statuses and comments, and lacks everything else that a forge may lack. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { PullRequest } from '@nereid/forge';
import { openWordsOnlyStage, type WordsOnlyStage } from './testing/words-only-stage.ts';

const rootWith = (name: string) => `terraform {\n  backend "local" {}\n}\n\nresource "terraform_data" "${name}" {}\n`;

let stage: WordsOnlyStage;

beforeAll(async () => {
  stage = await openWordsOnlyStage();
  await stage.git.upstream.commit({ files: { 'README.md': 'Nothing is deployed yet.\n' } });
});

afterAll(() => stage.close());

test('a merge is planned, confirmed in the console and applied; its status says in words what no button can', async () => {
  await stage.merge({ 'network/main.tf': rootWith('a') });

  const planned = await stage.shows('network', /^Plan: 1 to add/);
  expect(planned.actions).toEqual([]);
  expect(planned.summary).toContain(
    'Words has no buttons: answer [on the page of this deployment](http://127.0.0.1:4144/',
  );
  expect(planned.summary).toContain('- **Confirm**: `nereid confirm acme/infra/network` in a terminal');
  expect(planned.summary).toContain('https://words.example/acme/infra/');

  expect(await stage.answer('network', 'confirm', 'wim')).toMatchObject({ kind: 'signalled' });

  expect(await stage.shows('network', /^Applied: 1 added/)).toMatchObject({
    id: planned.id,
    status: 'completed',
    conclusion: 'success',
  });
});

test('a rule that takes a member of a team refuses everybody, with what the forge lacks and what to do', async () => {
  await stage.merge({ 'guarded/main.tf': rootWith('a') });
  await stage.shows('guarded', /^Plan: 1 to add/);

  expect(await stage.answer('guarded', 'confirm', 'ada')).toMatchObject({
    kind: 'refused',
    sentence: expect.stringContaining(
      '@ada may not confirm this: it takes a member of acme/officers; Words cannot say who is in a team: ask the operator of Nereid for a rule that names users or a permission',
    ),
  });
});

test('a button that somebody says was pressed does nothing, and the status says so', async () => {
  const { externalId, headSha, id, name } = await stage.shows('guarded', /^Plan: 1 to add/);
  const checkRun = { id, name, headSha, externalId, conclusion: null };
  const button = { kind: 'confirm', mark: '0123456789ab' } as const;

  const result = await stage.deliver({
    kind: 'button',
    repository: stage.git.repository,
    checkRun,
    button,
    sender: 'ada',
  });

  expect(result).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('Words has no buttons') });
  const shown = await stage.shows('guarded', /Words has no buttons: nothing was done/);
  expect(shown.title).toMatch(/^Plan: 1 to add/);
});

test('nothing that takes an approval is deployed by hand: the reply says what the forge cannot tell', async () => {
  const { upstream } = stage.git;
  const main = await upstream.git('rev-parse', 'main');
  const files = { 'network/b.tf': '# changed\n' };
  stage.open(aPullRequest(await upstream.commit({ files, branch: 'wider', parent: main }), main));
  const said = { commentId: 1, createdAt: new Date(Date.now() + 1_000).toISOString(), line: 'nereid apply network' };

  await stage.deliver({ kind: 'comment', repository: stage.git.repository, pullRequest: 7, ...said, sender: 'wim' });

  expect(stage.comments(7).join('\n')).toContain('and Words cannot say who approved it');
});

function aPullRequest(headSha: string, baseSha: string): PullRequest {
  return {
    number: 7,
    state: 'open',
    merged: false,
    draft: false,
    title: 'Wider',
    author: 'ada',
    updatedAt: new Date().toISOString(),
    headSha,
    headBranch: 'wider',
    baseSha,
    baseBranch: 'main',
    defaultBranch: 'main',
    fromFork: false,
    mergeable: true,
  };
}
