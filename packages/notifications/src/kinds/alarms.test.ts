import { status } from '@nereid/test-kit/receiver';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Notification, NotificationTopic } from '@nereid/domain/notification';
import { aNotification } from '../fixtures/a-notification.ts';
import { openStage, type Stage } from '../fixtures/send-to.ts';

const KEY = 'a-routing-key';

let stage: Stage;

beforeEach(async () => {
  stage = await openStage(KEY);
});

afterEach(() => stage.close());

const pagerduty = () =>
  ({ kind: 'pagerduty', url: `${stage.receiver.url}/v2/enqueue`, secretFile: stage.secretFile }) as const;

const alertmanager = () => ({ kind: 'alertmanager', url: stage.receiver.url, secretFile: stage.secretFile }) as const;

/** Of PagerDuty's events, or of Alertmanager's alerts. */
function keysSent(): readonly unknown[] {
  return stage.receiver.received().map(({ body }) => /"(?:dedup_key|key)":"([^"]*)"/.exec(body)?.[1]);
}

describe.each([
  ['PagerDuty', pagerduty],
  ['Alertmanager', alertmanager],
])('%s', (_name, target) => {
  test('an alert that is open is closed by a success, and a success opens none', async () => {
    const failed = await stage.send(target(), aNotification());
    const note = failed.kind === 'delivered' ? failed.note : undefined;
    const closed = await stage.send(target(), aNotification({ type: 'succeeded' }), { note });
    expect(await stage.send(target(), aNotification({ type: 'succeeded' }), { note: '' })).toEqual({
      kind: 'delivered',
    });

    expect([failed, closed]).toEqual([
      { kind: 'delivered', note: 'open' },
      { kind: 'delivered', note: '' },
    ]);
    expect(stage.receiver.received()).toHaveLength(2);
  });

  test.each<NotificationTopic>(['stuck', 'halted'])(
    'an alert for what is %s is closed once that goes on',
    async (type) => {
      const { root: _root, deployment: _deployment, ...rest } = aNotification({ about: 'w1' });

      const opened = await stage.send(target(), { ...rest, id: 'n1', type });
      const note = opened.kind === 'delivered' ? opened.note : undefined;
      const closed = await stage.send(target(), { ...rest, id: 'n2', type: 'resumed' }, { note });
      await stage.send(target(), { ...rest, id: 'n3', type: 'resumed' }, { note: '' });

      expect([opened, closed]).toEqual([
        { kind: 'delivered', note: 'open' },
        { kind: 'delivered', note: '' },
      ]);
      expect(keysSent()).toEqual(['nereid:w1', 'nereid:w1']);
      expect(stage.open(target()).subjectOf({ ...rest, id: 'n2', type: 'resumed' })).toBe('w1');
    },
  );

  test('an alert that is not taken is no open one', async () => {
    stage.receiver.always(status(503));

    expect(await stage.send(target(), aNotification())).toEqual({ kind: 'later', reason: 'answered 503' });
  });
});

describe('a window that closes', () => {
  const ID = 'acme/infra:closing:Freeze';
  const closing = (until: Date): Notification => {
    const { root: _root, deployment: _deployment, ...rest } = aNotification({ id: ID, type: 'closing' });
    return { ...rest, until: until.toISOString() };
  };
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000);

  test('is an alert of PagerDuty until it has closed', async () => {
    const until = hours(20);
    const opened = await stage.send(pagerduty(), closing(until));
    const note = opened.kind === 'delivered' ? (opened.note ?? '') : '';
    const { ending } = stage.open(pagerduty());

    expect([-1, 0].map((ms) => ending?.isDue(note, until.getTime() + ms))).toEqual([false, true]);
    expect(['open', ''].map((other) => ending?.isDue(other, Infinity))).toEqual([false, false]);
    expect(await ending?.end(ID)).toEqual({ kind: 'delivered' });

    const [trigger, resolve] = stage.bodies();
    expect(trigger).toMatchObject({ event_action: 'trigger', payload: { severity: 'warning', class: 'closing' } });
    expect(resolve).toEqual({ routing_key: KEY, event_action: 'resolve', dedup_key: trigger?.['dedup_key'] });
  });

  test('is an alert of Alertmanager until it has closed, of which nothing has to be remembered', async () => {
    const until = hours(20);

    expect(await stage.send(alertmanager(), closing(until))).toEqual({ kind: 'delivered' });
    const alerts: unknown = JSON.parse(stage.receiver.first().body);
    expect(alerts).toMatchObject([{ endsAt: until.toISOString() }]);
  });

  test.each([pagerduty, alertmanager])('that has closed already opens no alert', async (target) => {
    expect(await stage.send(target(), closing(hours(-1)))).toEqual({ kind: 'delivered' });
    expect(stage.receiver.received()).toEqual([]);
  });
});

test('PagerDuty gets an event of version 2, and the same key at its end', async () => {
  await stage.send(pagerduty(), aNotification());
  await stage.send(pagerduty(), aNotification({ type: 'succeeded' }), { note: 'open' });

  expect(stage.bodies()).toEqual([
    {
      routing_key: KEY,
      event_action: 'trigger',
      dedup_key: 'nereid:acme/infra/network',
      client: 'Nereid',
      payload: {
        summary: 'acme/infra: network failed. The apply failed: exit code 1',
        severity: 'critical',
        timestamp: '2026-01-31T14:00:00.000Z',
        source: 'acme/infra',
        component: 'network',
        class: 'failed',
      },
      links: [
        { href: 'https://nereid.example.org/deployments/d1', text: 'Deployment' },
        { href: 'https://github.com/acme/infra/runs/7', text: 'Check run' },
      ],
    },
    { routing_key: KEY, event_action: 'resolve', dedup_key: 'nereid:acme/infra/network' },
  ]);
});

test('Alertmanager gets an alert that lasts, and the same labels with a time that is over at its end', async () => {
  await stage.send(alertmanager(), aNotification());
  await stage.send(alertmanager(), aNotification({ type: 'succeeded' }), { note: 'open' });

  const [firing, resolved] = stage.receiver
    .received()
    .map(({ body }) => (JSON.parse(body) as readonly { readonly labels: object; readonly endsAt: string }[])[0]);
  expect(stage.receiver.first()).toMatchObject({
    path: '/api/v2/alerts',
    headers: { authorization: `Bearer ${KEY}` },
  });
  expect(firing?.labels).toEqual({
    alertname: 'NereidDeployment',
    key: 'nereid:acme/infra/network',
    repository: 'acme/infra',
    root: 'network',
  });
  expect(resolved?.labels).toEqual(firing?.labels);
  expect(Date.parse(firing?.endsAt ?? '')).toBeGreaterThan(Date.now() + 3_600_000);
  expect(Date.parse(resolved?.endsAt ?? '')).toBeLessThanOrEqual(Date.now());
});
