/** How the gateway treats webhooks that are forged or come twice. */
import type { Delivery } from '@nereid/github-stand-in';
import { SAMPLE_NAME } from '../sample/repository.ts';
import { expected } from './failure.ts';
import type { Scene } from './scene.ts';
import type { Step } from './step.ts';

export const webhooks: readonly Step[] = [
  {
    title: 'a webhook with a wrong signature is refused with 401',
    async play(scene) {
      const { requestHeaders, payload } = lastPush(scene);
      const headers = { ...requestHeaders, 'X-Hub-Signature-256': `sha256=${'0'.repeat(64)}` };
      const { status } = await fetch(scene.stack.urls.webhooks, { method: 'POST', headers, body: payload });
      if (status !== 401) throw expected('401', status);
    },
  },
  {
    title: 'a webhook that is delivered again is answered "duplicate" and does nothing',
    async play(scene) {
      const runs = () => scene.github.checkRuns(SAMPLE_NAME).length;
      const before = runs();
      const { statusCode, responseBody } = await scene.github.redeliver(lastPush(scene).id);
      if (statusCode !== 202 || !responseBody.includes('duplicate')) throw expected('202 duplicate', responseBody);
      if (runs() !== before) throw expected(`${before} check runs as before`, runs());
    },
  },
];

/** The last push that the gateway acted on. */
function lastPush(scene: Scene): Readonly<Delivery> {
  const delivery = scene.github.deliveries().findLast(({ event, statusCode, responseBody }) => {
    return event === 'push' && statusCode === 202 && !responseBody.includes('ignored');
  });
  if (!delivery) throw expected('a delivered push', 'none');
  return delivery;
}
