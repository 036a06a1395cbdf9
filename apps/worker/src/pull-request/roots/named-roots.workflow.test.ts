/** Roots that a command names, whether the pull request modifies them or not, and pull requests with too many roots. */
import { describe, expect, test } from '@jest/globals';
import type { FileChanges } from '@nereid/github-stand-in';
import { intakeStageOfThisFile } from '../../intake/testing/intake-stage.ts';
import { BACKEND } from '../../intake/testing/staged-repository.ts';
import { stagedPullRequests } from '../testing/staged-pull-requests.ts';

const OFF = `version: 1
roots:
  - { dir: off, enabled: false }
autodiscover: { mode: enabled }
`;

const ROOTS = {
  'network/main.tf': BACKEND,
  'database/main.tf': BACKEND,
  'early/main.tf': BACKEND,
  'off/main.tf': BACKEND,
  'guarded/main.tf': BACKEND,
  'nereid.yaml': OFF,
};

const stage = intakeStageOfThisFile();

async function opened(files: FileChanges) {
  const infra = await stage.repository(ROOTS, 'acme', true, 'planned');
  const pull = await infra.pullRequest(files);
  const pulls = stagedPullRequests(stage, infra);
  await pulls.changed(pull.number, 'opened');
  const says = (line: string) => stage.deliver(infra.says(pull, line));
  return { infra, pull, pulls, says };
}

describe('a command that names a root has it planned', () => {
  test.each([
    ['that the pull request does not modify', 'database'],
    ['that merges do not deploy', 'off'],
  ])('a command plans a named root %s', async (_which, name) => {
    const { pull, pulls, says } = await opened({ 'README.md': 'words' });
    expect(await pulls.shows(pull.headSha, 'Touches no root')).toMatchObject({ conclusion: 'success' });

    expect(await says(`nereid plan ${name}`)).toMatchObject({ kind: 'signalled' });

    await pulls.shows(pull.headSha, 'Planning 1 root');
    expect(await pulls.previews(pull.number)).toMatchObject([{ deployment: { root: { name } } }]);
  });

  test('beside those that the pull request modifies, until another commit is pushed', async () => {
    const { infra, pull, pulls, says } = await opened({ 'network/a.tf': '' });
    await pulls.shows(pull.headSha, 'Planning 1 root');

    await says('nereid plan database');
    const { previews } = await pulls.looked(pull.number, (look) => look.previews.length === 2);
    await says('nereid plan off');
    const more = await pulls.looked(pull.number, (look) => look.previews.length === 3);

    expect(more.previews).toEqual(expect.arrayContaining([...previews]));
    const head = await infra.commit({ 'network/b.tf': '' }, pull.branch);
    await pulls.changed(pull.number);
    const { previews: next } = await pulls.looked(pull.number, ({ headSha }) => headSha === head);
    expect(next.map(({ rootName }) => rootName)).toEqual(['network']);
  });

  test('that only the branch has into which it is merged', async () => {
    const { infra, pulls, pull, says } = await opened({ 'network/a.tf': '' });
    await infra.commit({ 'fresh/main.tf': BACKEND });

    expect(await says('nereid plan fresh')).toMatchObject({ kind: 'signalled' });

    const { previews } = await pulls.looked(pull.number, (look) => look.previews.length === 2);
    expect(previews.map(({ rootName }) => rootName)).toEqual(['network', 'fresh']);
  });

  test('and nobody can confirm that plan for a merge, which does not deploy it', async () => {
    const { pull, pulls, says } = await opened({ 'README.md': 'words' });

    await says('nereid plan early');

    await pulls.looked(pull.number, (look) => look.previews.length === 1);
    const [preview] = await pulls.previews(pull.number);
    expect(preview?.deployment).toMatchObject({ root: { name: 'early', planReview: 'before_merge' } });
    expect(preview?.deployment.preview).not.toHaveProperty('forMerge');
  });
});

test('a command without names has nothing planned where nothing is modified', async () => {
  const { says } = await opened({ 'README.md': 'words' });

  expect(await says('nereid plan')).toMatchObject({
    kind: 'refused',
    sentence: 'this pull request modifies no root: name one',
  });
});

test('a pull request of more roots than are planned waits for somebody to name some', async () => {
  const many = Array.from({ length: 101 }, (_, index) => [`many/${index}/main.tf`, BACKEND] as const);
  const { pull, pulls, says } = await opened(Object.fromEntries(many));

  const shown = await pulls.shows(pull.headSha, '101 roots, the limit is 100: comment `nereid plan <root>…`');
  expect(shown.conclusion).toBe('action_required');

  const { sentence } = await says('nereid plan nowhere');
  expect(sentence).toContain('expected names of roots, found "nowhere"');
  await says('nereid plan database');
  const { previews } = await pulls.looked(pull.number, (look) => look.previews.length > 0);
  expect(previews).toMatchObject([{ rootName: 'database', isNamed: true }]);
});

describe('who may plan again a root whose rule asks for more', () => {
  test.each(['nereid plan', 'nereid plan guarded', 'nereid plan network guarded'])(
    'a person is asked whether they may plan again by %j',
    async (line) => {
      const { infra, pull, says } = await opened({ 'guarded/a.tf': '', 'network/a.tf': '' });

      const refused = await says(line);
      const accepted = await stage.deliver(infra.says(pull, line, 'ada'));

      expect(refused).toMatchObject({
        kind: 'refused',
        sentence: expect.stringMatching(/@wim may not plan this.*guarded/),
      });
      expect(accepted.kind).toBe('signalled');
    },
  );

  test('is asked for a root that the pull request does not modify, and not for others', async () => {
    const { says } = await opened({ 'network/a.tf': '' });

    expect((await says('nereid plan guarded')).kind).toBe('refused');
    expect((await says('nereid plan network')).kind).toBe('signalled');
  });

  test('by Re-run is asked as well', async () => {
    const { infra, pull, pulls } = await opened({ 'guarded/a.tf': '' });
    const shown = await pulls.shows(pull.headSha, 'Planning 1 root');

    const refused = await stage.deliver(infra.reruns(shown));
    const accepted = await stage.deliver(infra.reruns(shown, 'ada'));

    expect(refused).toMatchObject({
      kind: 'refused',
      userActions: [
        { body: { action: { action: 'plan', pullRequest: pull.number, refusal: expect.stringContaining('guarded') } } },
      ],
    });
    expect(accepted.kind).toBe('signalled');
  });
});
