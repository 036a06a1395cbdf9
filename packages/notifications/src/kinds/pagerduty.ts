/** Opens an alert of PagerDuty when something fails, and resolves it once its subject is well, or it is over: events API version 2. */
import type { PagerDutyTarget } from '@nereid/config';
import type { Notification } from '@nereid/domain/notification';
import { readKey } from '@nereid/webhook';
import { alertKey, alertOf, alertSubject, hasRunOut, isIdle, isWell, noteAfter } from '../alert.ts';
import { DELIVERED, type Answer, type Sender } from '../answer.ts';
import { post, type PostOptions } from '../post.ts';
import { linksOf } from '../texts.ts';

export function createPagerDuty({ url, secretFile }: PagerDutyTarget, options: PostOptions): Sender {
  function enqueue(event: object): Promise<Answer> {
    return post(options, async () => ({
      url,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ routing_key: await readKey(secretFile), ...event }),
    }));
  }

  return {
    subjectOf: alertSubject,
    async send(notification, { note }) {
      if (isIdle(notification, note, Date.now())) return DELIVERED;
      const answer = await enqueue(eventOf(notification));
      return answer.kind === 'delivered' ? { kind: 'delivered', note: noteAfter(notification) } : answer;
    },
    ending: { isDue: hasRunOut, end: (subject) => enqueue(resolutionOf(alertKey(subject))) },
  };
}

function resolutionOf(dedup_key: string): object {
  return { event_action: 'resolve', dedup_key };
}

function eventOf(notification: Notification): object {
  const { key: dedup_key, summary, severity } = alertOf(notification);
  if (isWell(notification)) return resolutionOf(dedup_key);
  const { at: timestamp, type, repository = 'nereid', root } = notification;
  return {
    event_action: 'trigger',
    dedup_key,
    client: 'Nereid',
    payload: { summary, severity, timestamp, source: repository, component: root?.name, class: type },
    links: linksOf(notification).map(({ label: text, url: href }) => ({ href, text })),
  };
}
