import { writeFile } from 'node:fs/promises';
import { status } from '@nereid/test-kit/receiver';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { aNotification } from '../fixtures/a-notification.ts';
import { openStage, type Stage } from '../fixtures/send-to.ts';

let stage: Stage;

beforeEach(async () => {
  stage = await openStage('to be replaced');
  await writeFile(stage.secretFile, `${stage.receiver.url}/workflows/1?sig=secret\n`);
});

afterEach(() => stage.close());

const send = (changes: Parameters<typeof aNotification>[0] = {}) =>
  stage.send({ kind: 'teams', secretFile: stage.secretFile }, aNotification(changes));

test('a notification is an Adaptive Card with its links, in which texts of a repository are no Markdown', async () => {
  expect(await send({ sentence: '[a link](https://evil.example) **loud**' })).toEqual({ kind: 'delivered' });

  expect(stage.receiver.first().path).toBe('/workflows/1?sig=secret');
  expect(stage.bodies()).toMatchObject([
    {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            type: 'AdaptiveCard',
            body: [
              { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: 'acme/infra: network failed' }] },
              { type: 'RichTextBlock', inlines: [{ text: '[a link](https:\u2060//evil.example) **loud**' }] },
            ],
            actions: [
              { type: 'Action.OpenUrl', title: 'Deployment' },
              { type: 'Action.OpenUrl', title: 'Check run' },
            ],
          },
        },
      ],
    },
  ]);
});

test('an answer of the workflow never shows its address, which is a secret', async () => {
  stage.receiver.always(status(401));

  expect(await send()).toEqual({ kind: 'refused', reason: 'answered 401' });
});

test('a secret that is no https address is not used', async () => {
  await writeFile(stage.secretFile, 'http://10.0.0.1/metadata\n');

  const answer = await send();

  expect(answer).toMatchObject({ kind: 'later', reason: expect.stringContaining('expected the https address') });
  expect(JSON.stringify(answer)).not.toContain('10.0.0.1');
});
