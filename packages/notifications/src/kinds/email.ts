/** Sends a message of plain text for each notification, or for a digest, by SMTP; those about one revision are a conversation. */
import { createHash } from 'node:crypto';
import { Socket } from 'node:net';
import type { EmailTarget } from '@nereid/config';
import type { Notification } from '@nereid/domain/notification';
import { readKey, reasonOf, SecretFileError } from '@nereid/webhook';
import type { SendMailOptions } from 'nodemailer';
import { DELIVERED, type Answer, type Sender } from '../answer.ts';
import { digestSubject, digestText } from '../digest-texts.ts';
import type { PostOptions } from '../post.ts';
import { linksOf, sentenceOf, titleOf } from '../texts.ts';

export function createEmail(target: EmailTarget, options: PostOptions): Sender {
  return {
    subjectOf: ({ id }) => id,
    send: (notification) => sendMail(target, options, messageOf(notification)),
    sendDigest: ({ id, notifications }) =>
      sendMail(target, options, {
        subject: digestSubject(notifications),
        text: digestText(notifications),
        messageId: messageId(id),
      }),
  };
}

async function sendMail(target: EmailTarget, { answerMs }: PostOptions, message: SendMailOptions): Promise<Answer> {
  const socket = new Socket();
  // A server that says a word now and then would hold it for ever.
  const timer = setTimeout(() => socket.destroy(new DOMException('too slow', 'TimeoutError')), answerMs);
  try {
    // Only where somebody wants e-mail.
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({ ...(await serverOf(target)), socket, ...timeouts(answerMs) });
    const { from, to } = target;
    const headers = { 'Auto-Submitted': 'auto-generated' };
    const { rejected } = (await transport.sendMail({ ...message, from, to: [...to], headers })) as Sent;
    return rejected.length === 0 ? DELIVERED : someRefused(rejected.length, to.length);
  } catch (error) {
    return answerOf(error);
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

/** A person and a password never travel without TLS, but for a server of this machine. */
async function serverOf({ url, secretFile }: EmailTarget) {
  const { protocol, hostname, port, username } = new URL(url);
  const secure = protocol === 'smtps:';
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+)$/.test(hostname);
  const usualPort = secure ? SMTPS_PORT : SUBMISSION_PORT;
  return {
    host: hostname,
    port: port === '' ? usualPort : Number(port),
    secure,
    requireTLS: !secure && !isHere,
    ignoreTLS: !secure && isHere,
    ...(secretFile !== undefined && { auth: { user: decodeURIComponent(username), pass: await readKey(secretFile) } }),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const SMTPS_PORT = 465;
const SUBMISSION_PORT = 587;

function timeouts(ms: number) {
  return { connectionTimeout: ms, greetingTimeout: ms, socketTimeout: ms, dnsTimeout: ms };
}

function messageOf(notification: Notification): SendMailOptions {
  const { id, repository, deployment } = notification;
  const links = linksOf(notification).map(({ label, url }) => `${label}: ${url}`);
  const conversation =
    repository && deployment ? { references: messageId(`${repository}@${deployment.revision}`) } : {};
  return {
    subject: titleOf(notification),
    text: [sentenceOf(notification), ...links].join('\n\n'),
    // The same for each attempt, so that mailboxes can tell.
    messageId: messageId(id),
    ...conversation,
  };
}

function messageId(about: string): string {
  return `<${createHash('sha256').update(about).digest('hex').slice(0, 32)}@nereid.invalid>`;
}

/** As nodemailer describes it. */
interface Sent {
  readonly rejected: readonly unknown[];
}

/** The others have it, so it is not tried again by itself. */
function someRefused(rejected: number, all: number): Answer {
  return { kind: 'refused', reason: `refused for ${rejected} of ${all} recipients` };
}

/** A reply of 400 to 499 passes, as SMTP has it, and one of 500 to 599 does not. */
function answerOf(error: unknown): Answer {
  if (error instanceof SecretFileError) return { kind: 'later', reason: error.message };
  const code = typeof error === 'object' && error !== null && 'responseCode' in error ? error.responseCode : undefined;
  if (typeof code !== 'number') return { kind: 'later', reason: `no answer (${reasonOf(error)})` };
  return { kind: code >= 500 ? 'refused' : 'later', reason: `answered ${code}` };
}
