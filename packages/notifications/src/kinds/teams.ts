/** Posts an Adaptive Card to a Workflow of Microsoft Teams. The address of the workflow is the secret. */
import type { TeamsTarget } from '@nereid/config';
import type { Notification } from '@nereid/domain/notification';
import { readKey, SecretFileError } from '@nereid/webhook';
import type { Sender } from '../answer.ts';
import { post, type PostOptions } from '../post.ts';
import { linksOf, sentenceOf, titleOf } from '../texts.ts';

export function createTeams({ secretFile }: TeamsTarget, options: PostOptions): Sender {
  return {
    subjectOf: ({ id }) => id,
    send: (notification) =>
      post(options, async () => ({
        url: await readUrl(secretFile),
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(messageOf(notification)),
      })),
  };
}

async function readUrl(secretFile: string): Promise<string> {
  const url = await readKey(secretFile);
  if (/^https:\/\/[^\s@]+$|^http:\/\/127\.0\.0\.1:/.test(url) && URL.canParse(url)) return url;
  throw new SecretFileError(
    `expected the https address of a workflow of Teams in ${secretFile}, found another text; copy it from the workflow`,
  );
}

function messageOf(notification: Notification): object {
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [textBlock(titleOf(notification), { weight: 'Bolder' }), textBlock(sentenceOf(notification), {})],
    actions: linksOf(notification).map(({ label: title, url }) => ({ type: 'Action.OpenUrl', title, url })),
  };
  return { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }] };
}

/** The runs of a `RichTextBlock` know no Markdown, those of a `TextBlock` do. */
function textBlock(text: string, style: object): object {
  return { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text, ...style }] };
}
