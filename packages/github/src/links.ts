/**
 * Links for people. The link to a deployment or to a pull request's plans may carry a key, so that people who can see the check
 * run can read plans and logs without an account, for 90 days. Nobody can guess the key from the rest of the address.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { fullName, type Repository } from '@nereid/domain/root';

/** 128 bits in hex: beyond guessing, short enough for a link that is pasted into a chat. */
const KEY_LENGTH = 32;

/** A root of a repository, as a link names it: `<owner>/<name>/<root>`. */
export interface LaneName {
  readonly owner: string;
  readonly name: string;
  readonly rootName: string;
}

/** What makes a link open its page. */
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
  url.searchParams.set('lane', nameOf(lane));
  return withKey(url, linkKey, deploymentPageSubject(deploymentId, lane)).href;
}

/**
 * What the key of a deployment's page is for. It names the lane too: the id in a link may be that of another lane's deployment,
 * as somebody who reaches Temporal said it, and then there is none by that id in this lane.
 */
export function deploymentPageSubject(deploymentId: string, lane: LaneName): string {
  return `deployments/${nameOf(lane)}/${deploymentId}`;
}

function nameOf({ owner, name, rootName }: LaneName): string {
  return `${owner}/${name}/${rootName}`;
}

/** A pull request, as the address of its page names it. */
export interface PullRequestName {
  readonly owner: string;
  readonly name: string;
  readonly number: number;
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

/** What the key of a pull request's page is for: `pulls/<owner>/<name>/<number>`. */
export function pullRequestPageSubject({ owner, name, number }: PullRequestName): string {
  return `pulls/${owner}/${name}/${number}`;
}

/** The parts of the address of a pull request's page; undefined when there can be no such pull request. */
export function parsePullRequestName(owner: unknown, name: unknown, number: unknown): PullRequestName | undefined {
  if (typeof owner !== 'string' || typeof name !== 'string' || typeof number !== 'string') return undefined;
  if (!isName(owner) || !isName(name) || !/^[1-9]\d{0,8}$/.test(number)) return undefined;
  return { owner, name, number: Number(number) };
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

/** Parses the `lane` of `deploymentUrl`; undefined when it is not a lane's name. */
export function parseLaneName(lane: string): LaneName | undefined {
  const [owner, name, rootName, ...rest] = lane.split('/');
  if (!isName(owner) || !isName(name) || !isName(rootName) || rest.length > 0) return undefined;
  return { owner, name, rootName };
}

export function commitUrl(webUrl: string, repository: Pick<Repository, 'owner' | 'name'>, sha: string): string {
  return new URL(`${fullName(repository)}/commit/${sha}`, withSlash(webUrl)).href;
}

export function pullRequestUrl(webUrl: string, repository: Pick<Repository, 'owner' | 'name'>, number: number): string {
  return new URL(`${fullName(repository)}/pull/${number}`, withSlash(webUrl)).href;
}

/** A check run on GitHub's pages. */
export function checkRunUrl(webUrl: string, repository: Pick<Repository, 'owner' | 'name'>, id: number): string {
  return new URL(`${fullName(repository)}/runs/${id}`, withSlash(webUrl)).href;
}

/** The newest run of a workflow in the Temporal UI. */
export function workflowUrl(temporalUiUrl: string, namespace: string, workflowId: string): string {
  const path = `namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}`;
  return new URL(path, withSlash(temporalUiUrl)).href;
}

/** Whether GitHub and the rules for roots allow this name; `.` and `..` are refused, because they are steps in a path. */
function isName(part: string | undefined): part is string {
  return part !== undefined && part !== '.' && part !== '..' && /^[\w.-]{1,100}$/.test(part);
}

/** The last day is in days since 1970. */
function keyOf(secret: string, subject: string, lastDay: number): string {
  const mac = createHmac('sha256', secret).update(`${subject}\n${lastDay}`).digest('hex');
  return `${lastDay}-${mac.slice(0, KEY_LENGTH)}`;
}

function withSlash(url: string): string {
  return url.endsWith('/') ? url : `${url}/`;
}
