/**
 * Links for people. The link to a deployment or to a pull request's plans may carry a key, so that people who can see the check
 * run can read plans and logs without an account, for 90 days. Nobody can guess the key from the rest of the address.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  deploymentPageSubject,
  nameOfLane,
  pullRequestPageSubject,
  type LaneName,
  type PullRequestName,
} from '@nereid/domain/console';

/** 128 bits in hex: beyond guessing, short enough for a link that is pasted into a chat. */
const KEY_LENGTH = 32;

/** The part of a link that opens its page. */
export interface LinkKey {
  readonly secret: string;
  /** The time from which the life of the link counts, ISO 8601. */
  readonly from: string;
}

/** As long as GitHub keeps its own logs. */
const LIFE_DAYS = 90;

const DAY_MS = 24 * 60 * 60_000;

/** The page of a deployment. Without `linkKey`, the console itself decides who may read it. */
export function deploymentUrl(
  consoleUrl: string,
  linkKey: LinkKey | undefined,
  deploymentId: string,
  lane: LaneName,
): string {
  const url = new URL(`deployments/${encodeURIComponent(deploymentId)}`, withSlash(consoleUrl));
  url.searchParams.set('lane', nameOfLane(lane));
  return withKey(url, linkKey, deploymentPageSubject(deploymentId, lane)).href;
}

/** A resource on the page of a deployment's plan. */
export function resourceUrl(urlOfDeployment: string, address: string): string {
  const url = new URL(urlOfDeployment);
  url.pathname += '/plan';
  url.searchParams.set('at', address);
  return url.href;
}

/** The page of all plans of a pull request. Without `linkKey`, the console itself decides who may read it. */
export function pullRequestPageUrl(
  consoleUrl: string,
  linkKey: LinkKey | undefined,
  { owner, name, number }: PullRequestName,
): string {
  const subject = pullRequestPageSubject({ owner, name, number });
  return withKey(new URL(subject, withSlash(consoleUrl)), linkKey, subject).href;
}

/** The page of all deployments of a revision, for people who may read its repository. */
export function rolloutUrl(
  consoleUrl: string,
  { owner, name, sha }: { readonly owner: string; readonly name: string; readonly sha: string },
): string {
  return new URL(`rollouts/${owner}/${name}/${sha}`, withSlash(consoleUrl)).href;
}

function withKey(url: URL, linkKey: LinkKey | undefined, subject: string): URL {
  if (linkKey === undefined) return url;
  // A time that came through Temporal may be any; nobody gets a longer life by it.
  const lastDay = Math.floor(Math.min(Date.parse(linkKey.from), Date.now()) / DAY_MS) + LIFE_DAYS;
  url.searchParams.set('key', keyOf(linkKey.secret, subject, lastDay));
  return url;
}

/**
 * True when `key` is one that was made for this subject (`deploymentPageSubject` or `pullRequestPageSubject`) with one of the
 * secrets, and `now`, in milliseconds, is within its life. Takes the same time for every wrong key.
 */
export function verifyLinkKey(secrets: readonly string[], subject: string, key: string, now: number): boolean {
  const lastDay = Number(/^(?<day>\d{1,6})-/.exec(key)?.groups?.['day'] ?? 0);
  const found = Buffer.from(key);
  return secrets
    .map((secret) => Buffer.from(keyOf(secret, subject, lastDay)))
    .some(
      (expected) =>
        expected.length === found.length && timingSafeEqual(expected, found) && now < (lastDay + 1) * DAY_MS,
    );
}

/** The newest run of a workflow in the Temporal UI. */
export function workflowUrl(temporalUiUrl: string, namespace: string, workflowId: string): string {
  const path = `namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}`;
  return new URL(path, withSlash(temporalUiUrl)).href;
}

/** The last day is in days since 1970. */
function keyOf(secret: string, subject: string, lastDay: number): string {
  const mac = createHmac('sha256', secret).update(`${subject}\n${lastDay}`).digest('hex');
  return `${lastDay}-${mac.slice(0, KEY_LENGTH)}`;
}

function withSlash(url: string): string {
  return url.endsWith('/') ? url : `${url}/`;
}
