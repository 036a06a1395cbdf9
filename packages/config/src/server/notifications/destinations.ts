/** The destinations of notifications, and which of them wants which. */
import { defined } from '@nereid/domain/defined';
import {
  ALARMING_TOPICS,
  ENDING_TOPICS,
  subjectOfTopic,
  URGENT_TOPICS,
  type Notification,
  type NotificationTopic,
} from '@nereid/domain/notification';
import { placeOf } from '../glob.ts';
import { isInScope, type Scope } from '../scope/scope.ts';
import { timeOfDay } from '../windows/time-of-day.ts';
import type { DeliveryHours } from './delivery-hours.ts';
import type { Deployments } from './deployments-schema.ts';
import type { Destination as Written } from './notifications-schema.ts';

export interface Destination extends Scope, DeliveryHours {
  /** A part of keys in storage. */
  readonly name: string;
  readonly target: Target;
  /** The topics that it announces. */
  readonly when: readonly NotificationTopic[];
  /** It is notified once of each topic in one of these. Absent: of each notification. */
  readonly oncePer?: 'deployment' | 'rollout' | 'day';
}

/** Each but the last has a file of `secretFile`, read again for each message: what signs, the token, the address or the key. */
export type Target =
  WebhookTarget | SlackTarget | TeamsTarget | EmailTarget | PagerDutyTarget | AlertmanagerTarget | DeploymentsTarget;

export interface WebhookTarget {
  readonly kind: 'webhook';
  readonly url: string;
  readonly secretFile: string;
}

export interface SlackTarget {
  readonly kind: 'slack';
  /** The top of Slack's API. */
  readonly url: string;
  readonly channel: string;
  readonly secretFile: string;
}

export interface TeamsTarget {
  readonly kind: 'teams';
  readonly secretFile: string;
}

export interface EmailTarget {
  readonly kind: 'email';
  /** `smtps://user@host:port`, or `smtp://` for a server that begins without TLS. */
  readonly url: string;
  readonly from: string;
  readonly to: readonly string[];
  /** The password of the person in `url`; absent where nobody has to log in. */
  readonly secretFile?: string;
}

export interface PagerDutyTarget {
  readonly kind: 'pagerduty';
  readonly url: string;
  readonly secretFile: string;
}

export interface AlertmanagerTarget {
  readonly kind: 'alertmanager';
  readonly url: string;
  /** Absent where nobody has to log in. */
  readonly secretFile?: string;
}

/** The forge's own list of deployments. Nobody writes it as a destination: it is `deployments` of the file. */
export interface DeploymentsTarget {
  readonly kind: 'deployments';
  /** The name of a root's environment, with `{root}` and perhaps `{environment}` in it. */
  readonly environment: string;
}

const SLACK_API = 'https://slack.com/api';
const PAGERDUTY_API = 'https://events.pagerduty.com/v2/enqueue';

export function normaliseDestination(written: Written): Destination {
  const { name, when = [...URGENT_TOPICS], repositories = [], roots = [] } = written;
  const oncePer = 'once_per' in written ? written.once_per : undefined;
  const hours = { ...quietHoursOf(written), ...digestOf(written) };
  return { name, target: normaliseTarget(written), when, repositories, roots, ...defined({ oncePer }), ...hours };
}

/** The end of an alert disturbs nobody, and passes as its beginning does. */
const PASSING_AT_NIGHT: readonly NotificationTopic[] = [...ALARMING_TOPICS, ...ENDING_TOPICS];

function quietHoursOf({ kind, quiet }: Written): DeliveryHours {
  if (quiet === undefined) return {};
  const [fromMs = 0, toMs = 0] = quiet.hours.split('-').map(timeOfDay);
  const isAlarm = kind === 'pagerduty' || kind === 'alertmanager';
  const holdsFailures = 'hold_failures' in quiet && quiet.hold_failures === true;
  return {
    quiet: { fromMs, toMs, timezone: quiet.timezone, passing: isAlarm && !holdsFailures ? PASSING_AT_NIGHT : [] },
  };
}

/** As "daily 09:00 Europe/Berlin". */
function digestOf(written: Written): DeliveryHours {
  if (written.kind !== 'email' || written.digest === undefined) return {};
  const [, time = '', timezone = ''] = written.digest.split(' ');
  return { digest: { atMs: timeOfDay(time), timezone } };
}

/** No destination can have that name, because of its dot. */
const DEPLOYMENTS_NAME = 'github.deployments';

export function normaliseDeployments({ environment, repositories = [], roots = [] }: Deployments): Destination {
  return {
    name: DEPLOYMENTS_NAME,
    target: { kind: 'deployments', environment },
    when: ['applying', 'succeeded', 'failed', 'outcome-unknown', 'not-deployed'],
    repositories,
    roots,
  };
}

function normaliseTarget(written: Written): Target {
  switch (written.kind) {
    case 'webhook':
      return { kind: 'webhook', url: written.url, secretFile: written.secret_file };
    case 'slack': {
      const { url = SLACK_API, channel, secret_file: secretFile } = written;
      return { kind: 'slack', url: url.replace(/\/+$/, ''), channel, secretFile };
    }
    case 'teams':
      return { kind: 'teams', secretFile: written.secret_file };
    case 'email': {
      const { kind, url, from, to, secret_file: secretFile } = written;
      return { kind, url, from, to, ...defined({ secretFile }) };
    }
    case 'pagerduty':
      return { kind: 'pagerduty', url: written.url ?? PAGERDUTY_API, secretFile: written.secret_file };
    case 'alertmanager':
      return { kind: 'alertmanager', url: written.url, ...defined({ secretFile: written.secret_file }) };
  }
}

/** What a kind hears of besides `when`: to edit a message that it has sent, or to close an alert that it has opened. */
const FOLLOWED: Readonly<Record<Target['kind'], readonly NotificationTopic[]>> = {
  webhook: [],
  slack: ['outcome-unknown', 'failed', 'waits-for-person', 'locked', 'not-deployed', 'succeeded'],
  teams: [],
  email: [],
  pagerduty: ENDING_TOPICS,
  alertmanager: ENDING_TOPICS,
  deployments: [],
};

/** A digest leaves out what is over. */
const FOLLOWED_BY_DIGEST: readonly NotificationTopic[] = ['not-deployed', ...ENDING_TOPICS];

/** Whether it hears of the topic also where nobody is to read of it. */
export function followsTopic({ target, digest }: Destination, type: NotificationTopic): boolean {
  return (digest ? FOLLOWED_BY_DIGEST : FOLLOWED[target.kind]).includes(type);
}

/** The topics of `when` that can reach it: one that is limited to roots, or to repositories, is told of nothing wider. */
export function reachingTopics({ when, repositories, roots }: Destination): readonly NotificationTopic[] {
  const isLimited = { root: false, repository: roots.length > 0, installation: roots.length + repositories.length > 0 };
  return when.filter((topic) => !isLimited[subjectOfTopic(topic)]);
}

/** Whether a destination is to have this notification. */
export function wantsNotification(destination: Destination, { type, repository, root }: Notification): boolean {
  if (!destination.when.includes(type) && !followsTopic(destination, type)) return false;
  const place = root && placeOf({ name: root.name, dir: root.directory, ...defined({ realDir: root.realDirectory }) });
  return isInScope(destination, { repository, root: place });
}
