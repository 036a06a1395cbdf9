import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  aButton,
  aComment,
  aMergeGroup,
  allExamples,
  anExample,
  APP_ID,
  aPullRequest,
  aPush,
  aRerun,
  aRerunAll,
  INSTALLATION_ID,
  withField,
} from './payload.fixture.ts';
import { KNOWN_EVENTS, readEvent } from './read-event.ts';
import type { EventFilter } from './verdict.ts';

const FILTER: EventFilter = { appId: APP_ID, commentNames: ['nereid'] };
const REPOSITORY = { owner: 'Codertocat', name: 'Hello-World', installationId: INSTALLATION_ID };

describe('a push', () => {
  test('to the default branch is taken', () => {
    expect(readEvent('push', aPush(), FILTER)).toEqual({
      kind: 'accept',
      event: {
        kind: 'push',
        repository: REPOSITORY,
        branch: 'main',
        before: '0'.repeat(40),
        after: 'a'.repeat(40),
        forced: false,
        pushedAt: '2019-05-15T15:20:57.000Z',
        sender: 'Codertocat',
        senderId: 21_031_067,
      },
    });
  });

  test('to the branch of the policy is taken instead', () => {
    const filter = { ...FILTER, branch: 'release/1' };

    expect(readEvent('push', withField(aPush(), 'ref', 'refs/heads/release/1'), filter)).toMatchObject({
      kind: 'accept',
      event: { branch: 'release/1' },
    });
    expect(readEvent('push', aPush(), filter)).toEqual({
      kind: 'ignore',
      reason: 'the push is not to the branch release/1',
    });
  });

  test('that was forced says so', () => {
    expect(readEvent('push', withField(aPush(), 'forced', true), FILTER)).toMatchObject({ event: { forced: true } });
  });

  test.each([
    [
      "to a merge queue's branch",
      'ref',
      'refs/heads/gh-readonly-queue/main/pr-1-0123',
      'the push is not to the branch main',
    ],
    ['to another branch', 'ref', 'refs/heads/feature', 'the push is not to the branch main'],
    ['of a tag', 'ref', 'refs/tags/main', 'the push is not to a branch'],
    ['that deletes the branch', 'deleted', true, 'the branch was deleted'],
  ])('a push %s is ignored', (_what, path, value, reason) => {
    expect(readEvent('push', withField(aPush(), path, value), FILTER)).toEqual({ kind: 'ignore', reason });
  });
});

describe('a check run', () => {
  const mark = 'Aq3_-89xYzB0';

  test.each([
    [`confirm.${mark}`, { kind: 'confirm', mark }],
    [`reject.${mark}`, { kind: 'reject', mark }],
    ['unlock', { kind: 'unlock' }],
  ])('whose button %s was pressed is taken', (identifier, button) => {
    const payload = withField(aButton(identifier), 'check_run.external_id', 'the deployment');

    expect(readEvent('check_run', payload, FILTER)).toMatchObject({
      kind: 'accept',
      event: {
        kind: 'button',
        button,
        repository: { owner: 'electron', name: 'electron', installationId: INSTALLATION_ID },
        checkRun: { externalId: 'the deployment', headSha: expect.stringMatching(/^[0-9a-f]{40}$/) },
      },
    });
  });

  test.each(['confirm', 'confirm.0123', 'Confirm.0123456789ab', 'confirm.0123456789+/', 'delete', ''])(
    'whose button is %j is ignored',
    (identifier) => {
      expect(readEvent('check_run', aButton(identifier), FILTER)).toEqual({
        kind: 'ignore',
        reason: 'the check run has no such button',
      });
    },
  );

  test('that is to run again is taken', () => {
    expect(readEvent('check_run', withField(aRerun(), 'check_run.conclusion', 'failure'), FILTER)).toMatchObject({
      kind: 'accept',
      event: { kind: 'rerun', checkRun: { conclusion: 'failure' } },
    });
  });

  test('without an external id, as that of nereid/config, has an empty one', () => {
    expect(readEvent('check_run', withField(aRerun(), 'check_run.external_id', null), FILTER)).toMatchObject({
      event: { checkRun: { externalId: '' } },
    });
  });

  test.each([aButton('unlock'), aRerun()])('of another App is ignored', (payload) => {
    expect(readEvent('check_run', withField(payload, 'check_run.app.id', 1), FILTER)).toEqual({
      kind: 'ignore',
      reason: 'the check run belongs to another App',
    });
  });

  test('that was only created or completed is ignored', () => {
    expect(readEvent('check_run', anExample('check_run', 'completed'), FILTER)).toMatchObject({ kind: 'ignore' });
  });
});

describe('a check suite', () => {
  test('that is to run again is taken', () => {
    expect(readEvent('check_suite', aRerunAll(), FILTER)).toMatchObject({
      kind: 'accept',
      event: { kind: 'rerun-all', repository: REPOSITORY, headSha: expect.stringMatching(/^[0-9a-f]{40}$/) },
    });
  });

  test('of another App is ignored', () => {
    expect(readEvent('check_suite', withField(aRerunAll(), 'check_suite.app.id', 1), FILTER)).toMatchObject({
      kind: 'ignore',
    });
  });

  test('that was completed is ignored', () => {
    expect(readEvent('check_suite', anExample('check_suite', 'completed'), FILTER)).toMatchObject({ kind: 'ignore' });
  });
});

/** When GitHub's example was written. */
const WRITTEN_AT = '2019-05-15T15:20:21Z';

describe('a comment', () => {
  test.each([
    ['nereid apply network', 'nereid apply network'],
    ['nereid', 'nereid'],
    ['Nereid apply\r\nbecause it is urgent', 'Nereid apply'],
    ['\r\n @nereid apply', 'nereid apply'],
    ['```\nnereid apply\n```', 'nereid apply'],
    [`nereid ${'x'.repeat(1_000)}`, `nereid ${'x'.repeat(493)}`],
  ])('%j is taken, its first line only', (body, line) => {
    expect(readEvent('issue_comment', aComment(body), FILTER)).toMatchObject({
      kind: 'accept',
      event: {
        kind: 'comment',
        repository: REPOSITORY,
        pullRequest: 1,
        createdAt: WRITTEN_AT,
        line,
        sender: 'Codertocat',
        senderId: 21_031_067,
      },
    });
  });

  test.each(['looks good', 'nereids', 'please\nnereid apply', '`nereid apply` fails', '', '> nereid apply'])(
    '%j is not addressed to us',
    (body) => {
      expect(readEvent('issue_comment', aComment(body), FILTER)).toEqual({
        kind: 'ignore',
        reason: 'the comment does not begin with nereid',
      });
    },
  );

  test('begins with any of the names that the server gave us', () => {
    const filter = { ...FILTER, commentNames: ['neptune', 'atlantis'] };
    const reason = 'the comment does not begin with neptune or atlantis';

    expect(readEvent('issue_comment', aComment('neptune apply'), filter)).toMatchObject({ kind: 'accept' });
    expect(readEvent('issue_comment', aComment('Atlantis plan'), filter)).toMatchObject({ kind: 'accept' });
    expect(readEvent('issue_comment', aComment('nereid apply'), filter)).toEqual({ kind: 'ignore', reason });
  });

  test('of 64 KB is a command by its first line', () => {
    const body = `nereid plan network\n${'x'.repeat(64 * 1024)}`;

    expect(readEvent('issue_comment', aComment(body), FILTER)).toMatchObject({
      kind: 'accept',
      event: { line: 'nereid plan network' },
    });
  });

  test('whose first line has 64 KB is cut, and so is no longer command than a person writes', () => {
    const read = readEvent('issue_comment', aComment(`nereid plan ${'x '.repeat(32 * 1024)}`), FILTER);

    expect(read).toMatchObject({ kind: 'accept', event: { line: expect.stringMatching(/^.{1,500}$/) } });
  });

  test('of a bot is a command only where the server names the bot', () => {
    const ofBot = (login: string) =>
      withField(withField(aComment('nereid plan'), 'comment.user.type', 'Bot'), 'comment.user.login', login);
    const filter = { ...FILTER, commandBots: ['renovate[bot]'] };

    expect(readEvent('issue_comment', ofBot('Renovate[bot]'), filter)).toMatchObject({
      kind: 'accept',
      event: { sender: 'Renovate[bot]' },
    });
    expect(readEvent('issue_comment', ofBot('other[bot]'), filter)).toMatchObject({ kind: 'ignore' });
    const edited = withField(ofBot('renovate[bot]'), 'action', 'edited');
    expect(readEvent('issue_comment', edited, filter)).toMatchObject({ kind: 'ignore' });
  });

  test.each([
    ['on an issue', 'issue.pull_request', undefined, 'the comment is not on a pull request'],
    ['of a bot', 'comment.user.type', 'Bot', 'the author of the comment is not a person'],
    ['that was edited', 'action', 'edited', 'the comment is not a new one'],
  ])('a comment %s is ignored', (_what, path, value, reason) => {
    expect(readEvent('issue_comment', withField(aComment('nereid apply'), path, value), FILTER)).toEqual({
      kind: 'ignore',
      reason,
    });
  });
});

describe('a pull request', () => {
  test.each(['opened', 'synchronize', 'reopened', 'ready_for_review', 'closed'])('that was %s is taken', (action) => {
    expect(readEvent('pull_request', aPullRequest(action), FILTER)).toEqual({
      kind: 'accept',
      event: {
        kind: 'pull-request',
        repository: REPOSITORY,
        pullRequest: 2,
        action,
        sender: 'Codertocat',
        senderId: 21_031_067,
      },
    });
  });

  test('into another branch than the deployed one is ignored', () => {
    expect(readEvent('pull_request', aPullRequest('opened'), { ...FILTER, branch: 'live' })).toEqual({
      kind: 'ignore',
      reason: 'it is not to be merged into live',
    });
  });

  test('is taken when its base changes, also away from the deployed branch', () => {
    const edited = withField(aPullRequest('edited'), 'changes', { base: { ref: { from: 'main' } } });

    expect(readEvent('pull_request', edited, { ...FILTER, branch: 'live' })).toMatchObject({ kind: 'accept' });
  });

  test('into any branch is taken where the server plans all bases', () => {
    const filter = { ...FILTER, branch: 'live', planAllBases: true };

    expect(readEvent('pull_request', aPullRequest('opened'), filter)).toMatchObject({ kind: 'accept' });
  });

  test.each(['labeled', 'assigned', 'edited'])('is ignored when it is only %s', (action) => {
    expect(readEvent('pull_request', aPullRequest(action), FILTER)).toMatchObject({ kind: 'ignore' });
  });
});

describe('a group of a merge queue', () => {
  test.each(['checks_requested', 'destroyed'])('is taken when it is %s', (action) => {
    expect(readEvent('merge_group', aMergeGroup(action), FILTER)).toEqual({
      kind: 'accept',
      event: {
        kind: 'merge-group',
        repository: { owner: 'octo-org', name: 'octo-repo', installationId: INSTALLATION_ID },
        pullRequest: 12,
        branch: `gh-readonly-queue/main/pr-12-${'b'.repeat(40)}`,
        headSha: 'c'.repeat(40),
        action,
        sender: 'Codertocat',
        senderId: 21_031_067,
      },
    });
  });

  test.each([
    ['of another branch', 'merge_group.base_ref', 'refs/heads/live', 'it is not to be merged into main'],
    ['without a number', 'merge_group.head_ref', 'refs/heads/queue', 'its branch names no pull request'],
    ['with news of another kind', 'action', 'renamed', 'it neither asks for checks nor ends them'],
  ])('a group %s is ignored', (_what, path, value, reason) => {
    const payload = withField(aMergeGroup('checks_requested'), path, value);
    expect(readEvent('merge_group', payload, FILTER)).toEqual({ kind: 'ignore', reason });
  });
});

test.each(['pull_request_review', 'ping', 'installation', 'star'])('the event %s is ignored', (event) => {
  expect(readEvent(event, anExample(event), FILTER)).toMatchObject({ kind: 'ignore' });
});

describe('fields that the event needs', () => {
  test.each([
    ['push', aPush(), 'after', undefined],
    ['push', aPush(), 'after', 'HEAD'],
    ['push', aPush(), 'forced', 'true'],
    ['push', aPush(), 'repository.owner.login', '../..'],
    ['push', aPush(), 'repository.name', '..'],
    ['push', aPush(), 'installation', undefined],
    ['push', aPush(), 'sender.login', 'a b'],
    ['push', aPush(), 'sender.id', undefined],
    ['check_run', aButton('unlock'), 'requested_action', undefined],
    ['check_run', aButton('unlock'), 'requested_action.identifier', 'x'.repeat(21)],
    ['check_run', aRerun(), 'check_run.id', '1'],
    ['check_run', aRerun(), 'check_run.app', 'github'],
    ['check_suite', aRerunAll(), 'check_suite.head_sha', 'main'],
    ['pull_request', aPullRequest('opened'), 'number', 0],
    ['pull_request', aPullRequest('opened'), 'pull_request.base.ref', ''],
    ['merge_group', aMergeGroup('destroyed'), 'merge_group.head_ref', 'refs/tags/a'],
    ['merge_group', aMergeGroup('destroyed'), 'merge_group.head_sha', 'main'],
    ['issue_comment', aComment('nereid'), 'comment.body', 5],
    ['issue_comment', aComment('nereid'), 'comment.user.id', '5'],
    ['issue_comment', aComment('nereid'), 'issue.number', -1],
    ['issue_comment', aComment('nereid'), 'comment.created_at', 'yesterday'],
  ])('%s: %# is refused with the name of the field', (event, payload, path, value) => {
    const verdict = readEvent(event, withField(payload, path, value), FILTER);

    expect(verdict).toMatchObject({ kind: 'invalid', problem: expect.stringContaining(path) });
  });

  test.each([null, 5, 'text', []])('%j is no payload', (payload) => {
    expect(readEvent('push', payload, FILTER)).toMatchObject({ kind: 'invalid' });
  });
});

test('every example that GitHub publishes is judged without an error', () => {
  const verdicts = allExamples().map(({ event, payload }) =>
    readEvent(event, withField(payload, 'installation', { id: 1 }), FILTER),
  );

  expect(verdicts.filter(({ kind }) => kind === 'invalid')).toEqual([]);
});

test('whatever a payload says, what is passed on has at most 64 KiB', () => {
  const huge = fc.string({ minLength: 0, maxLength: 70_000, size: 'max' });
  const anEvent = fc.oneof(
    huge.map((text) => ['issue_comment', aComment(`nereid ${text}`)] as const),
    huge.map((text) => ['push', withField(aPush(), 'head_commit', { message: text })] as const),
    huge.map((text) => ['check_run', withField(aRerun(), 'check_run.output', { text })] as const),
  );

  fc.assert(
    fc.property(anEvent, ([event, payload]) => {
      const verdict = readEvent(event, payload, FILTER);
      return verdict.kind === 'accept' && Buffer.byteLength(JSON.stringify(verdict.event)) < 64 * 1024;
    }),
    { numRuns: 30 },
  );
});

test('every event that can be taken has a metric label', () => {
  expect([...KNOWN_EVENTS]).toEqual(
    expect.arrayContaining(['push', 'check_run', 'check_suite', 'issue_comment', 'ping']),
  );
});
