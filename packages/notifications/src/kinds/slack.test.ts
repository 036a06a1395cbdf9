import { status, type Answer as HttpAnswer } from '@nereid/test-kit/receiver';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { aNotification } from '../fixtures/a-notification.ts';
import { openStage, type Stage } from '../fixtures/send-to.ts';

const TOKEN = 'xoxb-not-a-token';

let stage: Stage;

beforeEach(async () => {
  stage = await openStage(TOKEN);
  stage.receiver.always(says({ ok: true, channel: 'C0123ABCD', ts: '1700000000.000100' }));
});

afterEach(() => stage.close());

function says(answer: object): HttpAnswer {
  return status(200, JSON.stringify(answer), { 'content-type': 'application/json' });
}

const target = () =>
  ({ kind: 'slack', url: stage.receiver.url, channel: 'C0123ABCD', secretFile: stage.secretFile }) as const;

const send = (changes: Parameters<typeof aNotification>[0] = {}, note?: string) =>
  stage.send(target(), aNotification(changes), { note });

async function begun(): Promise<string> {
  const answer = await send();
  if (answer.kind !== 'delivered' || answer.note === undefined) throw new Error('expected a thread');
  return answer.note;
}

const requests = () => stage.receiver.received().map(({ path }) => path);
const textOf = (n: number) => JSON.stringify(stage.bodies()[n]);

test('the first notification of a rollout is a message with its links', async () => {
  await begun();

  const { headers, body } = stage.receiver.first();
  expect(requests()).toEqual(['/chat.postMessage']);
  expect(headers.authorization).toBe(`Bearer ${TOKEN}`);
  expect(body).not.toContain(TOKEN);
  expect(stage.bodies()[0]).toMatchObject({
    channel: 'C0123ABCD',
    text: 'acme/infra: network failed',
    blocks: [
      { text: { type: 'plain_text', text: 'acme/infra at aaaaaaa\nnetwork failed\nThe apply failed: exit code 1' } },
      {
        elements: [
          {
            text: '<https://nereid.example.org/deployments/d1|Deployment> · <https://github.com/acme/infra/runs/7|Check run>',
          },
        ],
      },
    ],
  });
});

test('the message is edited as the rollout goes, and a reply is for what a person has to see', async () => {
  const note = await begun();
  await send({ type: 'waits-for-person', root: { name: 'app', directory: 'app' } }, note);

  expect(requests().slice(1)).toEqual(['/chat.update', '/chat.postMessage']);
  expect(stage.bodies()[1]).toMatchObject({ ts: '1700000000.000100' });
  expect(textOf(1)).toContain('network failed\\napp waits for a review');
  expect(stage.bodies()[2]).toMatchObject({ thread_ts: '1700000000.000100' });
});

test('a rollout of many roots has a note that stops growing, and its message says how many there were', async () => {
  let note = await begun();
  const lengths: number[] = [];
  for (let n = 10; n < 99; n += 1) {
    const answer = await send({ type: 'succeeded', root: { name: `root-${n}`, directory: '.' } }, note);
    if (answer.kind !== 'delivered' || answer.note === undefined) throw new Error('expected a thread');
    note = answer.note;
    lengths.push(note.length);
  }

  expect(lengths.at(-1)).toBe(lengths[40]);
  const last = textOf(stage.bodies().length - 1);
  expect(last).toContain('Notifications so far: failed (1), succeeded (89); the last 30 roots:\\nroot-69 succeeded');
  expect(last).toContain('root-98 succeeded');
});

test('a success edits the message of its rollout, and is none of its own', async () => {
  const note = await begun();
  await send({ type: 'succeeded' }, note);
  await send({ type: 'succeeded' });

  expect(requests()).toEqual(['/chat.postMessage', '/chat.update']);
  expect(textOf(1)).toContain('network succeeded');
});

test('a note of another release begins a new message', async () => {
  await send({ type: 'failed' }, '{"thread":1}');
  await send({ type: 'failed' }, 'a thread');

  expect(requests()).toEqual(['/chat.postMessage', '/chat.postMessage']);
});

test('a message that somebody has removed is written anew', async () => {
  const note = await begun();
  stage.receiver.meet(says({ ok: false, error: 'message_not_found' }));

  expect(await send({ type: 'failed' }, note)).toMatchObject({ kind: 'delivered' });
  expect(requests().slice(1)).toEqual(['/chat.update', '/chat.postMessage']);
});

test.each([
  ['rate limits', status(429, '', { 'retry-after': '30' }), { kind: 'later', retryAfterMs: 30_000 }],
  ['a failure of its own', says({ ok: false, error: 'internal_error' }), { kind: 'later' }],
  [
    'another channel',
    says({ ok: false, error: 'channel_not_found' }),
    { kind: 'refused', reason: 'Slack says channel_not_found' },
  ],
  ['a login page', status(200, '<html>secret</html>'), { kind: 'refused', reason: 'Slack says nothing that is known' }],
])('Slack answers with %s', async (_what, answer, expected) => {
  stage.receiver.always(answer);

  expect(await send()).toMatchObject(expected);
});

test('texts of a repository mention nobody and lead nowhere', async () => {
  await send({ sentence: '<!channel> *see* <https://evil.example|our page> & @here' });

  const [body] = stage.bodies();
  const { text } =
    (body?.['blocks'] as readonly { readonly text: { readonly text: string; readonly type: string } }[])[0] ?? {};
  expect(text?.type).toBe('plain_text');
  expect(text?.text).not.toMatch(/:\/\/|@h/);
  expect(body).toMatchObject({ parse: 'none', link_names: false, unfurl_links: false });
});

test('what is about no repository is a message of its own', async () => {
  const stuck = { version: 1, id: 's', type: 'stuck', at: '2026-01-31T14:00:00.000Z', links: {} } as const;

  await stage.send(target(), { ...stuck, sentence: 'its task fails' }, { when: ['stuck'] });

  const text = { type: 'plain_text', text: 'Nereid: a workflow is stuck\nits task fails' };
  expect(stage.bodies()).toMatchObject([{ text: 'Nereid: a workflow is stuck', blocks: [{ type: 'section', text }] }]);
});

test('the text that a phone shows has its markup escaped', async () => {
  await send({ root: { name: 'a <!here> & b', directory: '.' } });

  expect(stage.bodies()).toMatchObject([{ text: 'acme/infra: a &lt;!here&gt; &amp; b failed' }]);
});
