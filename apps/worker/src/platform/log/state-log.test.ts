import { expect, test } from '@jest/globals';
import type { Deployment, Lock, Presentation, Progress } from '@nereid/domain/deployment';
import { deploymentAt, progressAs, REPOSITORY } from '@nereid/domain/testing';
import { createStateLog } from './state-log.ts';

const RECEIVED = deploymentAt(3).receivedAt;
const LATER = '2027-01-01T00:00:00.000Z';
const LOCK: Lock = { kind: 'manual', deploymentId: 'other', revision: 'b'.repeat(40), by: 'alice', at: LATER };

function aStateLog() {
  const lines: Readonly<Record<string, unknown>>[] = [];
  const log = createStateLog({ info: (fields: object) => void lines.push({ ...fields }) });
  const show = (...presentations: readonly Presentation[]) => {
    log(REPOSITORY, presentations);
  };
  return { lines, show };
}

const as = (progress: Partial<Progress>, changes: Partial<Deployment> = {}): Presentation => {
  const deployment = deploymentAt(3);
  return { deployment: { ...deployment, ...changes, progress: { ...deployment.progress, ...progress } } };
};

test('a deployment that is shown is one line, which says for itself why its root waits', () => {
  const { lines, show } = aStateLog();
  const waiting = { status: 'preparing', waitsFor: 'host', reason: 'Waiting for a host: no host is running' } as const;

  show(as({ ...waiting, times: { queued: RECEIVED, preparing: LATER } }));

  const { id, root, revision } = deploymentAt(3);
  expect(lines).toEqual([
    {
      deployment: id,
      repository: 'acme/infra',
      root: root.name,
      revision: revision.sha,
      status: 'preparing',
      since: LATER,
      sentence: 'Waiting for a host: no host is running',
    },
  ]);
});

test('a deployment that a lock holds back waits since the lock was set, and the line names who set it', () => {
  const { lines, show } = aStateLog();

  show({ ...as({ times: { queued: RECEIVED } }), ahead: 0, lock: LOCK });

  expect(lines).toMatchObject([
    {
      status: 'queued',
      since: LATER,
      sentence: 'Locked by a manual deployment of bbbbbbb by @alice',
    },
  ]);
});

test('a state that is shown again is not logged again, and neither is another place in the queue', () => {
  const { lines, show } = aStateLog();

  show({ ...as({}), ahead: 3 }, { ...as({}, { id: 'another' }), ahead: 4 });
  show({ ...as({}), ahead: 3 });
  show({ ...as({}), ahead: 2 });

  expect(lines.map(({ sentence }) => sentence)).toEqual(['Queued, 3 ahead', 'Queued, 4 ahead']);
});

test('each change is logged, also back to a state that was there before', () => {
  const { lines, show } = aStateLog();

  show(as({}));
  show({ ...as({}), lock: LOCK });
  show(as({}));
  show(as(progressAs('succeeded')));

  expect(lines.map(({ status }) => status)).toEqual(['queued', 'queued', 'queued', 'succeeded']);
});

test('previews are not logged', () => {
  const { lines, show } = aStateLog();

  show(as({}, { trigger: 'preview' }));

  expect(lines).toEqual([]);
});
