/**
 * One message for each rollout, which is edited as it goes; a reply below it for each notification that a person has to see.
 * Speaks Slack's API by itself: two methods, of which Slack's own client would make ten packages, with redirects and retries of
 * its own.
 */
import type { SlackTarget } from '@nereid/config';
import {
  NOTIFICATION_TOPICS,
  topicWords,
  type Notification,
  type NotificationTopic,
} from '@nereid/domain/notification';
import { readKey } from '@nereid/webhook';
import { DELIVERED, type Answer, type Sender } from '../answer.ts';
import { post, type PostOptions } from '../post.ts';
import { linksOf, NAME_LIMIT, plainLine, sentenceOf, titleOf } from '../texts.ts';

/** The note about a rollout. */
interface Thread {
  readonly channel: string;
  readonly ts: string;
  readonly progress: Progress;
}

/** Bounded, because it is stored again with each delivery: a rollout may have thousands of roots. */
interface Progress {
  /** Those that changed last, the newest last, as they are shown. */
  readonly roots: readonly { readonly name: string; readonly type: NotificationTopic }[];
  /** How many notifications of a topic there were so far. */
  readonly counts: Readonly<Partial<Record<NotificationTopic, number>>>;
}

export function createSlack({ url, channel, secretFile }: SlackTarget, options: PostOptions): Sender {
  const call = (method: 'chat.postMessage' | 'chat.update', fields: object): Promise<Answer> =>
    post(
      options,
      async () => ({
        url: `${url}/${method}`,
        headers: {
          authorization: `Bearer ${await readKey(secretFile)}`,
          'content-type': 'application/json; charset=utf-8',
        },
        body: JSON.stringify({ ...fields, unfurl_links: false, unfurl_media: false, parse: 'none', link_names: false }),
      }),
      answerOfSlack,
    );

  async function begin(notification: Notification): Promise<Answer> {
    const progress = progressAfter({ roots: [], counts: {} }, notification);
    const posted = await call('chat.postMessage', { channel, ...messageOf(notification, progress) });
    if (posted.kind !== 'delivered' || posted.note === undefined) return posted;
    return { kind: 'delivered', note: JSON.stringify({ ...(JSON.parse(posted.note) as Posted), progress }) }; // Ours.
  }

  async function goOn(notification: Notification, thread: Thread, isAnnounced: boolean): Promise<Answer> {
    const progress = progressAfter(thread.progress, notification);
    const { ts } = thread;
    const place = { channel: thread.channel };
    const updated = await call('chat.update', { ...place, ts, ...messageOf(notification, progress) });
    // Somebody has removed it, or the channel does not let messages be edited for so long.
    if (updated.kind === 'refused') return isAnnounced ? begin(notification) : DELIVERED;
    if (updated.kind === 'later') return updated;
    const replied =
      isAnnounced && !QUIET.has(notification.type)
        ? await call('chat.postMessage', { ...place, thread_ts: ts, ...replyOf(notification) })
        : DELIVERED;
    return replied.kind === 'delivered'
      ? { kind: 'delivered', note: JSON.stringify({ ...place, ts, progress }) }
      : replied;
  }

  return {
    subjectOf: ({ repository, deployment, id }) =>
      repository !== undefined && deployment !== undefined ? `${repository}@${deployment.revision}` : id,
    send(notification, { note, isAnnounced }) {
      const thread = threadOf(note);
      if (thread) return goOn(notification, thread, isAnnounced);
      return isAnnounced ? begin(notification) : Promise.resolve(DELIVERED);
    },
  };
}

/** The edited message says enough. */
const QUIET: ReadonlySet<NotificationTopic> = new Set(['succeeded', 'not-deployed']);

/** Undefined also of a note of another release: then a new thread begins. */
function threadOf(note = ''): Thread | undefined {
  const { channel, ts, progress } = parsed(note);
  return typeof channel === 'string' && typeof ts === 'string' && progress !== undefined
    ? (JSON.parse(note) as Thread) // As `begin` or `goOn` made it.
    : undefined;
}

/** More would not be read in one message. */
const ROOTS_LIMIT = 30;

function progressAfter({ roots, counts }: Progress, { root, type }: Notification): Progress {
  const name = root && plainLine(root.name, NAME_LIMIT);
  const others = roots.filter((each) => each.name !== name);
  return {
    roots: name === undefined ? roots : [...others, { name, type }].slice(-ROOTS_LIMIT),
    counts: { ...counts, [type]: (counts[type] ?? 0) + 1 },
  };
}

function messageOf(notification: Notification, { roots, counts }: Progress): object {
  const { repository, deployment } = notification;
  if (repository === undefined || deployment === undefined) return replyOf(notification);
  const heading = `${plainLine(repository, NAME_LIMIT)} at ${deployment.revision.slice(0, 7)}`;
  const shown = roots.map(({ name, type }) => `${name} ${topicWords(type)}`);
  const isFull = roots.length === ROOTS_LIMIT;
  const lines = [heading, ...(isFull ? [sumOf(counts)] : []), ...shown].join('\n');
  return blocks(titleOf(notification), `${lines}\n${sentenceOf(notification)}`, notification);
}

/** `Notifications so far: failed (3), succeeded (1970); the last 30 roots:` */
function sumOf(counts: Progress['counts']): string {
  const sums = NOTIFICATION_TOPICS.flatMap((type) => {
    const count = counts[type];
    return count === undefined ? [] : [`${topicWords(type)} (${count})`];
  });
  return `Notifications so far: ${sums.join(', ')}; the last ${ROOTS_LIMIT} roots:`;
}

function replyOf(notification: Notification): object {
  const title = titleOf(notification);
  return blocks(title, `${title}\n${sentenceOf(notification)}`, notification);
}

/** `plain_text` has neither mentions nor markup. The text is what a phone shows; there, Slack wants three characters escaped. */
function blocks(text: string, body: string, notification: Notification): object {
  const links = linksOf(notification).map(({ label, url }) => `<${escaped(url)}|${label}>`);
  const section = { type: 'section', text: { type: 'plain_text', text: body.slice(0, SECTION_LIMIT), emoji: false } };
  const context = { type: 'context', elements: [{ type: 'mrkdwn', text: links.join(' · '), verbatim: true }] };
  return { text: escaped(text), blocks: links.length === 0 ? [section] : [section, context] };
}

/** Slack takes no more. */
const SECTION_LIMIT = 3_000;

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

interface Posted {
  readonly channel: string;
  readonly ts: string;
}

/** Of those, Slack says itself that they pass. */
const PASSING = new Set(['ratelimited', 'rate_limited', 'internal_error', 'fatal_error', 'service_unavailable']);

/** Slack says 200 also when it has done nothing. */
function answerOfSlack(body: string): Answer {
  const { ok, error, channel, ts } = parsed(body);
  const isPosted = ok === true && isShort(channel) && isShort(ts);
  if (isPosted) return { kind: 'delivered', note: JSON.stringify({ channel, ts }) };
  const word = typeof error === 'string' && /^[a-z_]{1,60}$/.test(error) ? error : 'nothing that is known';
  return { kind: PASSING.has(word) ? 'later' : 'refused', reason: `Slack says ${word}` };
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && /^[\w.]{1,40}$/.test(value);
}

function parsed(body: string): Readonly<Record<string, unknown>> {
  try {
    const found: unknown = JSON.parse(body);
    return typeof found === 'object' && found !== null ? (found as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}
