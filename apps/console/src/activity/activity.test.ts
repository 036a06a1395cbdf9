import { describe, expect, test } from '@jest/globals';
import { anApplyAudit } from '@nereid/domain/testing';
import type { OperatorActionAuditEvent, JobAuditEvent, TrailEvent, UserActionAuditEvent } from '@nereid/domain/trail';
import type { Entry } from '../trail/walk-back.ts';
import { activityEntryOf } from './activity-entry.ts';
import { EXPORT_HEADS, exportLine } from './export-activity.ts';
import { listActivity, type ActivityQuery } from './list-activity.ts';
import { activityBody } from './page.ts';

const AT = '2026-11-22T10:00:00.000Z';
const NOW_MS = Date.parse('2026-11-22T12:00:00.000Z');

describe('an event says', () => {
  test('what was applied, and who confirmed it', () => {
    const sentence = (changes: Partial<JobAuditEvent>) =>
      activityEntryOf(anApplyAudit({ startedAt: AT, ...changes }), AT).sentence;

    expect(sentence({})).toBe('Applied aaaaaaa to network');
    expect(sentence({ state: 'RUNNING', approvedBy: 'bob' })).toBe(
      'Began to apply aaaaaaa to network, confirmed by @bob',
    );
    expect(sentence({ approvedBy: 'bob', approvedBeforeMerge: true })).toBe(
      'Applied aaaaaaa to network, confirmed by @bob before the merge',
    );
  });

  test('who asked for what, and why it was refused', () => {
    expect(activityEntryOf(aPress(), AT).sentence).toBe('@bob confirmed the plan of network');
    expect(activityEntryOf({ ...aPress(), action: 'rerun' }, AT).sentence).toBe(
      '@bob asked for a deployment of network',
    );
    expect(activityEntryOf({ ...aPress(), action: 'plan', pullRequest: 7 }, AT).sentence).toBe(
      '@bob asked for a plan of network for #7',
    );
    const pressed = { state: 'REFUSED', sentence: '@bob pressed Confirm: no' } as const;
    expect(activityEntryOf({ ...aPress(), ...pressed }, AT).sentence).toBe(
      '@bob wanted to confirm the plan of network, and was refused: no',
    );
    expect(activityEntryOf({ ...aPress(), state: 'REFUSED', sentence: 'ask a colleague' }, AT).sentence).toBe(
      '@bob wanted to confirm the plan of network, and was refused: ask a colleague',
    );
  });

  test('what became of the lock of a state', () => {
    const event: TrailEvent = {
      version: 1,
      id: 'u:UNKNOWN',
      state: 'UNKNOWN',
      action: 'force_unlock',
      repository: 'acme/infra',
      rootName: 'network',
      revision: 'a'.repeat(40),
      lockId: '1',
      initiatingUser: 'bob',
      workflowId: 'w',
    };

    expect(activityEntryOf(event, AT)).toMatchObject({
      action: 'force_unlock',
      sentence: 'Nobody can tell whether the lock of the state was freed',
    });
  });

  test('who drained a host, and who may not', () => {
    const drain: OperatorActionAuditEvent = {
      version: 1,
      id: 'r:REVIEWED',
      state: 'REVIEWED',
      action: 'drain',
      hostId: 'h1',
      initiatingUser: 'bob',
      pressedAt: AT,
      workflowId: 'request/r',
    };

    expect(activityEntryOf(drain, AT)).toEqual({
      id: 'r:REVIEWED',
      at: AT,
      state: 'REVIEWED',
      action: 'drain',
      person: 'bob',
      hostId: 'h1',
      sentence: '@bob drained the host h1',
    });
    expect(activityEntryOf({ ...drain, action: 'resume', state: 'REFUSED', sentence: 'ask ada' }, AT).sentence).toBe(
      '@bob wanted to resume the host h1, and was refused: ask ada',
    );
  });

  test('who had notifications sent again', () => {
    const request = { action: 'send_again', destination: 'deploys', initiatingUser: 'bob' } as const;
    const event = { version: 1, id: 'r:REVIEWED', state: 'REVIEWED', pressedAt: AT, workflowId: 'request/r' } as const;

    expect(activityEntryOf({ ...event, ...request }, AT)).toMatchObject({
      destination: 'deploys',
      sentence: '@bob had notifications sent again to deploys',
    });
  });

  test.each([
    ['*', '@bob stopped all repositories'],
    ['gpu', '@bob stopped the pool gpu'],
  ])('who stopped the pool %s', (pool, sentence) => {
    const request = { action: 'stop_pool', pool, for: '2h', reason: 'an incident', initiatingUser: 'bob' } as const;
    const event = { version: 1, id: 'r:REVIEWED', state: 'REVIEWED', pressedAt: AT, workflowId: 'request/r' } as const;

    expect(activityEntryOf({ ...event, ...request }, AT)).toEqual({
      ...{ id: event.id, at: AT, state: 'REVIEWED', action: 'stop_pool', person: 'bob', pool },
      sentence,
    });
  });

  test.each<[string, Partial<OperatorActionAuditEvent>]>([
    ['h1', { action: 'drain', hostId: 'h1' }],
    ['deploys', { action: 'send_again', destination: 'deploys' }],
    ['gpu', { action: 'thaw_pool', pool: 'gpu' }],
  ])('what operators asked for, by its name on the page and in the file: %s', (name, request) => {
    const event = { version: 1, id: 'r:REVIEWED', state: 'REVIEWED', pressedAt: AT, workflowId: 'request/r' } as const;
    const entry = activityEntryOf({ ...event, initiatingUser: 'bob', ...request } as OperatorActionAuditEvent, AT); // One of them.

    expect(String(activityBody({ items: [entry], missing: [] }, { limit: 1 }))).toMatch(
      new RegExp(`<td>\\s*${name}\\s*</td>`),
    );
    expect(exportLine(entry, 'csv').split(',')).toContain(name);
  });

  test('that somebody posed as another one', () => {
    const forged = { version: 1, id: 'x:FORGED', state: 'FORGED', forged: 'go', about: 'd1', at: AT } as const;

    expect(activityEntryOf({ ...forged, sentence: 'expected a signature' }, AT)).toEqual({
      id: 'x:FORGED',
      at: AT,
      state: 'FORGED',
      action: 'forged',
      deploymentId: 'd1',
      sentence: 'expected a signature',
    });
  });
});

describe('the list', () => {
  const ALL: readonly TrailEvent[] = [
    aPress(),
    anApplyAudit({ startedAt: AT }),
    { ...anApplyAudit({ startedAt: AT }), id: 'other', repository: 'acme/secret', approvedBy: 'Carol' },
  ];

  test('has only what the viewer may read', async () => {
    expect(await idsOf({})).toEqual(['press', 'apply']);
  });

  test.each<[Partial<ActivityQuery>, readonly string[]]>([
    [{ action: 'confirm' }, ['press']],
    [{ repository: 'Acme/Infra' }, ['press', 'apply']],
    [{ root: 'app' }, []],
    [{ person: 'ALICE' }, ['apply']],
    [{ from: '2026-11-23T00:00:00.000Z' }, []],
    [{ to: '2026-11-21T00:00:00.000Z' }, []],
    [{ from: '2026-11-22', to: '2026-11-22' }, ['press', 'apply']],
    [{ from: '2026-11-22T10:00:00Z' }, ['press', 'apply']],
    [{ to: '2026-11-22T10:00:00Z' }, []],
    [{ from: '0001-01-01', to: '9999-12-31' }, ['press', 'apply']],
  ])('is filtered by %j', async (query, ids) => {
    expect(await idsOf(query)).toEqual(ids);
  });

  test('has what is about no repository for insiders alone', async () => {
    const forged = {
      version: 1,
      id: 'forged',
      state: 'FORGED',
      forged: 'go',
      sentence: 'x',
      about: 'd1',
      at: AT,
    } as const;
    const entries = [{ at: AT, id: '1', entry: forged }];
    const of = async (insider: boolean) => {
      const isInsider = () => Promise.resolve(insider);
      const read = (day: string) => Promise.resolve({ entries: AT.startsWith(day) ? entries : [] });
      const days = { read, isOver: () => false, missing: () => [] };
      const canRead = () => Promise.resolve(true);
      return (await listActivity({ limit: 10 }, { days, canRead, isInsider, nowMs: NOW_MS }))?.items.length;
    };

    expect([await of(true), await of(false)]).toEqual([1, 0]);
  });

  test('names who confirmed as well as who asked', async () => {
    expect(await idsOf({ person: 'carol' }, () => true)).toEqual(['other']);
  });

  test('goes on where the page before it ended', async () => {
    const first = await list({ limit: 1 });

    expect(first?.items.map(({ id }) => id)).toEqual(['press']);
    expect(await idsOf({ cursor: first?.next })).toEqual(['apply']);
  });

  test.each(['', 'garbage', Buffer.from('["yesterday","x"]').toString('base64url')])(
    'has no place %j',
    async (cursor) => {
      expect(await list({ cursor })).toBeUndefined();
    },
  );

  function list(query: Partial<ActivityQuery>, isReadable = (name: string) => name !== 'secret') {
    const entries = ALL.map((entry, index): Entry<TrailEvent> => ({ at: AT, id: `${9 - index}`, entry }));
    const read = (day: string) => Promise.resolve({ entries: AT.startsWith(day) ? entries : [] });
    const days = { read, isOver: () => false, missing: () => [] };
    const canRead = ({ name }: { name: string }) => Promise.resolve(isReadable(name));
    const isInsider = () => Promise.resolve(true);
    return listActivity({ limit: 10, ...query }, { days, canRead, isInsider, nowMs: NOW_MS });
  }

  async function idsOf(query: Partial<ActivityQuery>, isReadable?: (name: string) => boolean) {
    return (await list(query, isReadable))?.items.map(({ id }) => id);
  }
});

describe('as CSV', () => {
  test('a cell is quoted where it has to be', () => {
    const line = exportLine(activityEntryOf({ ...aPress(), state: 'REFUSED', sentence: 'no, "never"' }, AT), 'csv');

    expect(line.startsWith(`${AT},REFUSED,confirm,bob,,acme/infra,network,`)).toBe(true);
    expect(line).toContain('"\'@bob wanted to confirm the plan of network, and was refused: no, ""never"""');
    expect(EXPORT_HEADS.csv.split(',')).toHaveLength(15);
  });

  test.each(['=cmd()', '+1', '-1', '@SUM(A1)'])('no cell is a formula: %s', (person) => {
    const entry = { ...activityEntryOf(anApplyAudit({ startedAt: AT }), AT), person };

    expect(exportLine(entry, 'csv')).toContain(`,'${person},`);
    expect(JSON.parse(exportLine(entry, 'jsonl'))).toEqual(entry);
  });
});

function aPress(): UserActionAuditEvent {
  return {
    version: 1,
    id: 'press',
    state: 'REVIEWED',
    action: 'confirm',
    repository: 'acme/infra',
    rootName: 'network',
    revision: 'a'.repeat(40),
    deploymentId: 'd1',
    initiatingUser: 'bob',
    pressedAt: AT,
    workflowId: 'delivery/x',
  };
}
