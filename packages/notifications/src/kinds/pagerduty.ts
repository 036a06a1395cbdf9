/** Opens an alert of PagerDuty when something fails, and resolves it once its root is deployed: events API version 2. */
import type { PagerDutyTarget } from '@nereid/config';
import type { Notification } from '@nereid/domain/notification';
import { readKey } from '@nereid/webhook';
import { alertOf, alertSubject, CLOSED, isWell, OPEN } from '../alert.ts';
import { DELIVERED, type Sender } from '../answer.ts';
import { post, type PostOptions } from '../post.ts';
import { linksOf } from '../texts.ts';

export function createPagerDuty({ url, secretFile }: PagerDutyTarget, options: PostOptions): Sender {
  return {
    subjectOf: alertSubject,
    async send(notification, { note }) {
      if (isWell(notification) && note !== OPEN) return DELIVERED;
      const answer = await post(options, async () => ({
        url,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ routing_key: await readKey(secretFile), ...eventOf(notification) }),
      }));
      return answer.kind === 'delivered' ? { kind: 'delivered', note: isWell(notification) ? CLOSED : OPEN } : answer;
    },
  };
}

function eventOf(notification: Notification): object {
  const { key: dedup_key, summary, severity } = alertOf(notification);
  if (isWell(notification)) return { event_action: 'resolve', dedup_key };
  const { at: timestamp, type, repository = 'nereid', root } = notification;
  return {
    event_action: 'trigger',
    dedup_key,
    client: 'Nereid',
    payload: { summary, severity, timestamp, source: repository, component: root?.name, class: type },
    links: linksOf(notification).map(({ label: text, url: href }) => ({ href, text })),
  };
}
