import { describe, expect, test } from '@jest/globals';
import { ENDED_STATUSES } from '@nereid/domain/deployment';
import { MESSAGE } from '@nereid/domain/temporal-names';
import { unreadable } from './readable.ts';
import { aCancel, aLock, aNotice, anUnlock, aRevision, progressAs } from '@nereid/domain/testing';

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
    [
      'with a choice in a list',
      { ...revision, trigger: ['merge'] },
      'expected one of merge, manual as trigger, found ["merge"]',
    ],
    [
      'without the title of its commit',
      { ...revision, revision: { ...revision.revision, title: undefined } },
      'expected a text or an empty one as revision.title, found nothing',
    ],
    [
      'with a lock of no kind',
      { ...revision, formerly: { rootName: 'net', lock: { ...aLock(), kind: 'nonsense' } } },
      'expected nothing or an object with rootName, lock as formerly, found {"rootName":"net","lock":{"kind":"nonsense"',
    ],
    ['of nobody', { ...revision, requestedBy: '' }, 'expected a text as requestedBy, found ""'],
  ])('%s cannot be read, and says why', (_what, message, why) => {
    expect(unreadable(MESSAGE.newRevision, message)).toContain(why);
  });

  test.each([
    [
      'at a time of no status',
      { times: { bogus: 'x' } },
      'expected an object with a time in UTC for each of some of queued, ',
    ],
    ['at no time', { times: { succeeded: 'x' } }, 'expected an object with a time in UTC for each of some of queued, '],
    [
      'with a job that is none',
      { jobs: { plan: 5 } },
      'expected nothing or an object with id as progress.jobs.plan, found 5',
    ],
    ['for no reason', { reason: 5 }, 'expected nothing or a text or an empty one as progress.reason, found 5'],
    ['with a failure that is none', { failure: {} }, 'expected nothing or an object with body as progress.failure, '],
  ])('cannot tell that a deployment ended %s, and says why', (_what, more, why) => {
    const message = { version: 1, deploymentId: '1', progress: progressAs('succeeded') };
    const ended = { ...message, progress: { ...message.progress, ...more } };

    expect(unreadable(MESSAGE.deploymentEnded, ended)).toContain(why);
  });

  test('can bring the lock of the name that its root had before', () => {
    const formerly = { rootName: 'net', lock: aLock() };

    expect(unreadable(MESSAGE.newRevision, { ...revision, formerly })).toBeUndefined();
    expect(unreadable(MESSAGE.newRevision, { ...revision, formerly: { rootName: 'net' } })).toBeUndefined();
  });

  test.each([
    [MESSAGE.cancel, aCancel(), 'deploymentId'],
    [MESSAGE.cancel, aCancel(), 'askedAt'],
    [MESSAGE.unlock, anUnlock(), 'askedAt'],
    [MESSAGE.notice, aNotice(), 'sentence'],
  ])('of control (%s) is read in its envelope alone', (name, message, field) => {
    const without = { ...message, body: { ...message.body, [field]: undefined } };

    expect(unreadable(name, message)).toBeUndefined();
    expect(unreadable(name, message.body)).toBe('expected an object as body, found nothing');
    expect(unreadable(name, without)).toBe(`expected a text as ${field}, found nothing`);
  });
});
