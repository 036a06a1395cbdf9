import { describe, expect, test } from '@jest/globals';
import { OPERATIONS, type DeploymentList } from '@nereid/api';
import { aDeployment } from '@nereid/domain/testing';
import { githubPages } from '@nereid/github-pages';
import { briefly } from '../../fleet/fleet-lane.ts';
import type { Picture } from '../../fleet/fleet.ts';
import { aConsole, RUNNING } from '../../testing.ts';
import type { Ended } from '../../trail/ended.ts';
import { listDeployments } from './list-deployments.ts';

const NOW = '2026-11-22T12:00:00.000Z';
const LANE = { owner: 'acme', name: 'infra', rootName: 'network' };
const OTHER = { owner: 'acme', name: 'platform', rootName: 'cluster' };

describe('the list', () => {
  test('begins with what is under way, the newest first, and goes on with what ended, the latest end first', async () => {
    const fleet = aFleet({
      underWay: [open('old', '11:00'), open('new', '11:59')],
      ended: [ended('first', '10:00'), ended('last', '11:30')],
    });

    expect((await fleet.page({})).ids).toEqual(['new', 'old', 'last', 'first']);
  });

  test('has each filter', async () => {
    const fleet = aFleet({
      underWay: [open('a', '11:00'), { ...open('b', '11:10'), lane: OTHER }],
      ended: [ended('c', '10:00'), { ...ended('d', '09:00'), status: 'rejected', requestedBy: 'Bob' }],
    });

    expect((await fleet.page({ repository: 'ACME/platform' })).ids).toEqual(['b']);
    expect((await fleet.page({ root: 'network' })).ids).toEqual(['a', 'c', 'd']);
    expect((await fleet.page({ status: 'rejected' })).ids).toEqual(['d']);
    expect((await fleet.page({ status: 'queued' })).ids).toEqual(['b', 'a']);
    expect((await fleet.page({ person: 'bob' })).ids).toEqual(['d']);
  });

  test('has a deployment once although its lane and the list of ends tell of it', async () => {
    const fleet = aFleet({ underWay: [open('a', '11:00')], ended: [ended('a', '11:58')] });

    expect((await fleet.page({})).ids).toEqual(['a']);
  });
});

describe('from page to page', () => {
  test.each([1, 2, 3, 7])('%d at a time are the same as all at once', async (limit) => {
    const fleet = aFleet({
      underWay: [open('a', '11:00'), open('b', '11:10'), open('c', '11:20')],
      ended: [ended('d', '11:30'), ended('e', '10:00'), ended('f', '10:00'), ended('g', '09:00')],
    });

    expect(await fleet.all({ limit })).toEqual((await fleet.page({ limit: 100 })).ids);
  });

  test('what ends meanwhile is neither missed nor found twice, and what is new is not among them', async () => {
    const fleet = aFleet({
      underWay: [open('a', '11:00'), open('b', '11:10'), open('c', '11:20')],
      ended: [ended('d', '10:00')],
    });

    const first = await fleet.page({ limit: 1 });
    fleet.becomes({
      underWay: [open('new', '12:01')],
      ended: [
        ended('a', '12:01', '11:00'),
        ended('b', '12:02', '11:10'),
        ended('c', '12:03', '11:20'),
        ended('d', '10:00'),
      ],
    });
    const rest = await fleet.all({ limit: 1, cursor: first.next });

    expect([...first.ids, ...rest]).toEqual(['c', 'b', 'a', 'd']);
  });

  test('what ended moments ago, before the list of ends had it, is found once', async () => {
    const fleet = aFleet({ underWay: [open('a', '11:00'), open('b', '11:10')] });

    const first = await fleet.page({ limit: 1 });
    fleet.becomes({ underWay: [open('a', '11:00')], ended: [ended('b', '11:59', '11:10')] });
    const rest = await fleet.all({ limit: 1, cursor: first.next });

    expect([...first.ids, ...rest]).toEqual(['b', 'a']);
  });

  test('a cursor of another list, or of last month, is none', async () => {
    const fleet = aFleet({});
    const old = Buffer.from(JSON.stringify(['2026-10-22T12:00:00.000Z', 'ended', NOW, ''])).toString('base64url');

    await expect(fleet.page({ cursor: 'yesterday' })).rejects.toThrow('no list');
    await expect(fleet.page({ cursor: old })).rejects.toThrow('no list');
  });
});

describe('the answer', () => {
  test.each(['cursor=x', 'limit=0', 'status=good', 'repository=acme', 'root=a/b'])(
    'the answer to %s is a problem',
    async (query) => {
      const console = await aConsole({ isLocal: true, lane: { running: RUNNING } });

      const answer = await console.get(`/api/v1/deployments?${query}`);

      expect(answer.status).toBe(400);
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
    },
  );
});

interface Known {
  readonly underWay?: readonly Open[];
  readonly ended?: readonly Ended[];
}

type Open = ReturnType<typeof open>;

function aFleet(known: Known) {
  let { underWay = [], ended = [] } = known;
  const sources = {
    readFleet: () => Promise.resolve(pictureOf(underWay)),
    days: {
      read: (day: string) =>
        Promise.resolve(
          ended
            .filter(({ endedAt }) => endedAt.startsWith(day))
            .toSorted((a, b) => b.endedAt.localeCompare(a.endedAt) || b.id.localeCompare(a.id)),
        ),
      isOver: () => false,
      missing: () => [],
    },
    forgePages: githubPages('https://github.example'),
    nowMs: Date.parse(NOW),
  };
  const page = async (query: object): Promise<{ ids: readonly string[]; next: string | undefined }> => {
    const list = await listDeployments(OPERATIONS.listDeployments.query.parse(query), sources);
    if (list === undefined) throw new Error('expected a list, found no list');
    return { ids: list.items.map(({ id }: DeploymentList['items'][number]) => id), next: list.next };
  };
  const all = async (query: object): Promise<readonly string[]> => {
    const ids: string[] = [];
    for (let next: string | undefined, isFirst = true; isFirst || next !== undefined; isFirst = false) {
      const found = await page({ ...query, ...(next !== undefined && { cursor: next }) });
      ids.push(...found.ids);
      next = found.next;
    }
    return ids;
  };
  return {
    page,
    all,
    becomes: (next: Known) => {
      ({ underWay = [], ended = [] } = next);
    },
  };
}

function pictureOf(underWay: readonly Open[]): Picture {
  const lanes = underWay.map(({ lane, ...deployment }) => ({
    ...lane,
    waiting: [deployment],
    undeployed: [],
    stamp: deployment.id,
  }));
  return { lanes, departed: [], unavailable: [] };
}

function open(id: string, receivedAt: string) {
  return { ...briefly(aDeployment({ status: 'queued' })), id, receivedAt: at(receivedAt), lane: LANE };
}

function ended(id: string, endedAt: string, receivedAt = '08:00'): Ended {
  return { ...open(id, receivedAt), status: 'succeeded', endedAt: at(endedAt) };
}

function at(clock: string): string {
  return `2026-11-22T${clock}:00.000Z`;
}
