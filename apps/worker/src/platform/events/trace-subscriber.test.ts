import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Secret } from '@nereid/config';
import type { Deployment, EndedStatus, Progress } from '@nereid/domain/deployment';
import type { DomainEvent } from '@nereid/domain/events';
import { aPlan, deploymentAt, REPOSITORY } from '@nereid/domain/testing';
import { traceIdOf } from '@nereid/process';
import { openCollector, type Collector, type ReceivedSpan } from '@nereid/test-kit/collector';
import * as conventions from '@opentelemetry/semantic-conventions/incubating';
import { openTraces, type Traces } from '../traces/open-traces.ts';
import type { Subscriber } from './publish.ts';
import { createTraceSubscriber } from './trace-subscriber.ts';

const PAGE = 'https://nereid.example.org/deployments/d1';
const START_MS = Date.parse('2026-01-31T14:00:00.000Z');

let collector: Collector;
let traces: Traces;
let hear: Subscriber;
let nowMs: number;
let warned: (readonly [string | undefined, object])[];

beforeEach(async () => {
  collector = await openCollector();
  warned = [];
  const logger = { warn: (fields: object, message?: string) => void warned.push([message, fields]) };
  const headers = new Secret('authorization=Bearer%20of%20the%20team,x-scope=a');
  traces = await openTraces({ config: { url: collector.url, headers }, release: '0.1.0', hostId: 'h1', logger });
  nowMs = START_MS;
  hear = createTraceSubscriber({
    send: traces.send,
    pages: { toDeployment: () => ({ page: PAGE }) },
    now: () => nowMs,
  });
});

afterEach(async () => {
  await traces.close();
  await collector.close();
});

/** In minutes after the beginning. */
const at = (minute: number) => new Date(START_MS + minute * 60_000).toISOString();

function aDeployment(progress: Partial<Progress>): Deployment {
  const deployment = deploymentAt(3);
  return { ...deployment, receivedAt: at(0), progress: { ...deployment.progress, ...progress } };
}

function ended(status: EndedStatus, minute: number, progress: Partial<Progress>): DomainEvent {
  const deployment = aDeployment({ status, ...progress });
  const about = { repository: REPOSITORY, deployment, since: at(minute), sentence: 'a secret of a plan' };
  return { kind: 'ended', status, id: 'e1', ...about };
}

/** A day of waiting for a person, and ten minutes of work. */
const APPLIED = ended('succeeded', 1_460, {
  plan: aPlan(),
  hostId: 'h1',
  review: { answer: 'approved', by: 'grace', at: at(1_450) },
  times: { queued: at(0), preparing: at(5), planning: at(6), 'awaiting-review': at(10), applying: at(1_451) },
  jobs: {
    plan: { id: 'd1-plan-1', startedAt: at(6), endedAt: at(9) },
    apply: { id: 'd1-apply-1', startedAt: at(1_451), endedAt: at(1_459) },
  },
});

async function spansAfter(...events: readonly DomainEvent[]): Promise<readonly ReceivedSpan[]> {
  for (const event of events) await hear(event);
  await traces.close();
  return collector.spans();
}

/** `name: parent, from minute to minute`. */
function drawn(spans: readonly ReceivedSpan[]): readonly string[] {
  const names = new Map(spans.map(({ spanId, name }) => [spanId, name]));
  const minuteOf = (ms: number) => (ms - START_MS) / 60_000;
  return spans.map(({ name, parentSpanId, startMs, endMs }) => {
    const parent = parentSpanId === '' ? 'none' : (names.get(parentSpanId) ?? 'unknown');
    return `${name}: ${parent}, ${minuteOf(startMs)} to ${minuteOf(endMs)}`;
  });
}

function aPush(branch = 'main', kind: 'signalled' | 'nothing' = 'signalled'): DomainEvent {
  const after = deploymentAt(3).revision.sha;
  const push = { repository: REPOSITORY, branch, before: '0'.repeat(40), after, forced: false, sender: 'alice' };
  return {
    kind: 'received',
    ...{ id: 'r1', delivery: 'g1', receivedAt: at(1) },
    event: { kind: 'push', ...push, pushedAt: at(0) },
    result: { kind, sentence: '1 root' },
  };
}

test('a merge is one trace, from its webhook to its apply, and every span of it is over', async () => {
  nowMs = START_MS + 2 * 60_000;

  const spans = await spansAfter(aPush(), APPLIED);

  expect(drawn(spans)).toEqual([
    'merge: none, 0 to 2',
    'webhook: merge, 0 to 1',
    'intake: merge, 1 to 2',
    'deployment: merge, 0 to 1460',
    'lane: deployment, 0 to 5',
    'plan: deployment, 6 to 9',
    'review: deployment, 10 to 1450',
    'apply: deployment, 1451 to 1459',
  ]);
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(
    new Set([traceIdOf(REPOSITORY, deploymentAt(3).revision.sha)]),
  );
  expect(collector.headers()[0]).toMatchObject({ authorization: 'Bearer of the team', 'x-scope': 'a' });
});

test('spans have names and ids in the words of the conventions, and nothing that a plan or a person said', async () => {
  const spans = await spansAfter(APPLIED);

  const deployment = deploymentAt(3);
  expect(spans[0]).toMatchObject({
    resource: { 'service.name': 'nereid', 'service.version': '0.1.0', 'service.instance.id': 'h1' },
    attributes: {
      'cicd.pipeline.name': deployment.root.name,
      'cicd.pipeline.run.id': deployment.id,
      'cicd.pipeline.run.url.full': PAGE,
      'cicd.pipeline.result': 'success',
      'vcs.owner.name': REPOSITORY.owner,
      'vcs.repository.name': REPOSITORY.name,
      'vcs.ref.head.revision': deployment.revision.sha,
      'vcs.change.id': '12',
    },
    hasFailed: false,
  });
  expect(spans.at(-1)?.attributes).toMatchObject({
    'cicd.pipeline.task.name': 'apply',
    'cicd.pipeline.task.type': 'deploy',
    'cicd.pipeline.task.run.id': 'd1-apply-1',
    'cicd.pipeline.task.run.result': 'success',
  });
  const known: readonly unknown[] = Object.values(conventions);
  const names = new Set(spans.flatMap(({ attributes }) => Object.keys(attributes)));
  expect([...names].filter((name) => !known.includes(name))).toEqual(['nereid.wait.gate']);
  const said = JSON.stringify(spans);
  for (const content of ['a secret of a plan', deployment.revision.title, 'grace']) expect(said).not.toContain(content);
});

test('an apply that failed has failed, and its plan has not', async () => {
  const jobs = {
    plan: { id: 'd1-plan-1', startedAt: at(6), endedAt: at(9) },
    apply: { id: 'd1-apply-1', startedAt: at(10) },
  };
  const spans = await spansAfter(ended('host-lost', 20, { plan: aPlan(), jobs }));

  expect(spans.filter(({ hasFailed }) => hasFailed).map(({ name }) => name)).toEqual(['deployment', 'apply']);
  expect(drawn(spans)).toContain('apply: deployment, 10 to 20');
});

test('a wait is a span of its own once it is over, with what it waited for', async () => {
  const deployment = aDeployment({ status: 'queued' });
  const about = { repository: REPOSITORY, deployment, since: at(0), sentence: 'Waiting' };
  await hear({ kind: 'waits', reason: 'order', id: 'w1', ...about });
  nowMs += 3 * 60_000;
  await hear({ kind: 'waits', reason: 'window', id: 'w2', ...about });
  nowMs += 60_000;
  await hear({ kind: 'waits', reason: 'window', id: 'w3', ...about });
  nowMs += 60_000;

  const spans = await spansAfter({ kind: 'planning', id: 'p1', ...about });

  expect(
    spans.map(({ name, attributes, startMs, endMs }) => [name, attributes['nereid.wait.gate'], endMs - startMs]),
  ).toEqual([
    ['wait for order', 'order', 180_000],
    ['wait for window', 'window', 120_000],
  ]);
});

test('the same end, published again, has the same spans', async () => {
  await hear(APPLIED);

  const ids = (await spansAfter(APPLIED)).map(({ spanId }) => spanId);

  expect(new Set(ids).size).toBe(ids.length / 2);
});

test('a push that deploys nothing has no trace', async () => {
  expect(await spansAfter(aPush('main', 'nothing'))).toEqual([]);
});

test.each([
  ['yesterday', at(9)],
  [at(6), '9999-12-31T23:59:59.999Z'],
])('a job from %s to %s has no span, and holds up no other one', async (startedAt, endedAt) => {
  const jobs = { plan: { id: 'd1-plan-1', startedAt, endedAt } };

  expect(drawn(await spansAfter(ended('plan-failed', 20, { jobs })))).toEqual([
    'deployment: unknown, 0 to 20',
    'lane: deployment, 0 to 20',
  ]);
});

test('the longest name of a branch is cut', async () => {
  const [merge] = await spansAfter(aPush('b'.repeat(1_000)));

  expect(merge?.attributes['vcs.ref.head.name']).toBe('b'.repeat(255));
});

test('a collector that refuses is said once', async () => {
  collector.answer(400);

  await spansAfter(APPLIED);

  const sentence = 'the collector takes no traces: they are dropped until it does';
  expect(warned).toEqual([[sentence, { reason: 'Bad Request (400)' }]]);
});
