import { expect, test } from '@jest/globals';
import type { EndedDeployment } from '@nereid/domain/deployment';
import { openObjectStore } from '../objects/open-object-store.ts';
import { aDeployment, aFolder, aRepository, collect } from '../testing.ts';
import { createEndedDeployments } from './ended-deployments.ts';

const { id, revision, trigger, rerun, requestedBy, receivedAt } = aDeployment();
const ENDED: EndedDeployment = {
  version: 1,
  id,
  repository: { owner: aRepository.owner, name: aRepository.name },
  rootName: 'network',
  revision,
  trigger,
  rerun,
  requestedBy,
  status: 'succeeded',
  receivedAt,
  times: {},
  endedAt: '2026-11-22T10:00:00.000Z',
};

async function open() {
  const store = await openObjectStore(`file:${await aFolder()}`);
  const broken: [string, string][] = [];
  return { store, broken, ended: createEndedDeployments(store, { onBroken: (...told) => broken.push(codeOf(told)) }) };
}

function codeOf([key, error]: [string, Error]): [string, string] {
  return [key, 'code' in error ? String(error.code) : ''];
}

test('deployments that ended are read by the day of their end', async () => {
  const { store, ended } = await open();

  await ended.append(ENDED.endedAt, ENDED.id, ENDED);

  expect(await collect(store.list('ended/'))).toEqual([`ended/2026/11/22/20261122T100000000Z-${ENDED.id}.json`]);
  expect(await ended.read('2026-11-22')).toEqual([{ at: ENDED.endedAt, id: ENDED.id, entry: ENDED }]);
});

test('a status that this release does not know is left out, and so is a line like that of a packed day', async () => {
  const { store, ended, broken } = await open();
  const unknown = JSON.stringify({ version: 1, at: ENDED.endedAt, id, entry: { ...ENDED, status: 'paused' } });
  await store.put('ended/2026/11/22/20261122T100000000Z-x.json', Buffer.from(unknown));
  await store.put('ended-packed/2026-11-22.jsonl', Buffer.from(`${unknown}\n{"version":2}\n`));

  expect(await ended.read('2026-11-22')).toEqual([]);
  expect(broken).toEqual([
    ['ended/2026/11/22/20261122T100000000Z-x.json', 'BROKEN_RECORD'],
    ['ended-packed/2026-11-22.jsonl', 'BROKEN_RECORD'],
    ['ended-packed/2026-11-22.jsonl', 'UNKNOWN_RECORD_VERSION'],
  ]);
});
