/** Fires an alert of Prometheus' Alertmanager when something fails, and resolves it once its subject is well, or it is over: API version 2. */
import type { AlertmanagerTarget } from '@nereid/config';
import type { Notification } from '@nereid/domain/notification';
import { readKey } from '@nereid/webhook';
import { alertOf, alertSubject, isIdle, isWell, noteAfter } from '../alert.ts';
import { DELIVERED, type Sender } from '../answer.ts';
import { post, type PostOptions } from '../post.ts';
import { linksOf } from '../texts.ts';

/** Nobody sends it again, so it has to last until somebody has looked. */
const LASTS_MS = 7 * 24 * 3_600_000;

export function createAlertmanager({ url, secretFile }: AlertmanagerTarget, options: PostOptions): Sender {
  return {
    subjectOf: alertSubject,
    async send(notification, { note }) {
      if (isIdle(notification, note, Date.now())) return DELIVERED;
      const answer = await post(options, async () => ({
        url: `${url.replace(/\/+$/, '')}/api/v2/alerts`,
        headers: {
          'content-type': 'application/json',
          ...(secretFile !== undefined && { authorization: `Bearer ${await readKey(secretFile)}` }),
        },
        body: JSON.stringify([alertFor(notification, Date.now())]),
      }));
      // What is over at a known time is resolved by Alertmanager itself: nothing has to be remembered of it.
      if (answer.kind !== 'delivered' || notification.until !== undefined) return answer;
      return { kind: 'delivered', note: noteAfter(notification) };
    },
  };
}

/** The labels name the alert: those of a resolved one have to be the same. */
function alertFor(notification: Notification, nowMs: number): object {
  const { repository, root, at: startsAt, until } = notification;
  const { summary, key } = alertOf(notification);
  const [page] = linksOf(notification);
  const endsAt = until ?? new Date(isWell(notification) ? nowMs : nowMs + LASTS_MS).toISOString();
  return {
    labels: { alertname: 'NereidDeployment', key, repository, root: root?.name },
    annotations: { summary },
    ...(isWell(notification) ? {} : { startsAt }),
    endsAt,
    ...(page && { generatorURL: page.url }),
  };
}
