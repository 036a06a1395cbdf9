import { describe, expect, test } from '@jest/globals';
import { ENDED_STATUSES } from '@nereid/domain/deployment';
import { MESSAGE } from '@nereid/domain/temporal-names';
import { unreadable } from './readable.ts';
import { aCancel, aNotice, anUnlock, aRevision } from '@nereid/domain/testing';

const revision = aRevision(1);

describe('a message', () => {
  test('of this release can be read, with fields that a newer one may add', () => {
    expect(unreadable(MESSAGE.newRevision, { ...revision, added: 'later' })).toBeUndefined();
  });

  test.each([...ENDED_STATUSES])('can tell that a deployment ended as %s', (status) => {
    const message = { version: 1, deploymentId: 'one', progress: { status, times: {}, jobs: {} } };

    expect(unreadable(MESSAGE.deploymentEnded, message)).toBeUndefined();
  });

  test.each([
    ['of another version', { ...revision, version: 2 }, 'expected version 1, found 2; upgrade the workers'],
    ['that is none', 'now', 'expected an object, found "now"'],
    ['without its root', { ...revision, root: undefined }, 'expected an object as root, found nothing'],
    [
      'with a setting that is unknown',
      { ...revision, root: { ...revision.root, queue: 'last' } },
      'expected one of every, newest as root.queue, found "last"',
    ],
    [
      'with a revision that is none',
      { ...revision, revision: { ...revision.revision, sha: 'main' } },
      'expected 40 hex digits as revision.sha, found "main"',
    ],
    [
      'that leaves open what it asks for',
      { ...revision, rerun: undefined },
      'expected true or false as rerun, found nothing',
    ],
    ['of nobody', { ...revision, requestedBy: '' }, 'expected a text as requestedBy, found ""'],
  ])('%s cannot be read, and says why', (_what, message, why) => {
    expect(unreadable(MESSAGE.newRevision, message)).toBe(why);
  });

  test.each([
    [MESSAGE.cancel, aCancel(), 'deploymentId'],
    [MESSAGE.unlock, anUnlock(), 'askedAt'],
    [MESSAGE.notice, aNotice(), 'sentence'],
  ])('of control (%s) is read in its envelope alone', (name, message, field) => {
    const without = { ...message, body: { ...message.body, [field]: undefined } };

    expect(unreadable(name, message)).toBeUndefined();
    expect(unreadable(name, message.body)).toBe('expected an object as body, found nothing');
    expect(unreadable(name, without)).toBe(`expected a text as ${field}, found nothing`);
  });
});
