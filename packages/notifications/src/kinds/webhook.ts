/** Posts each notification as JSON, signed as Standard Webhooks describes it. */
import type { WebhookTarget } from '@nereid/config';
import { signedHeaders } from '@nereid/webhook';
import type { Sender } from '../answer.ts';
import { post, type PostOptions } from '../post.ts';

export function createWebhook({ url, secretFile }: WebhookTarget, options: PostOptions): Sender {
  return {
    subjectOf: ({ id }) => id,
    send: (notification) => {
      const body = JSON.stringify(notification);
      return post(options, async () => ({
        url,
        headers: await signedHeaders(notification.id, body, secretFile),
        body,
      }));
    },
  };
}
