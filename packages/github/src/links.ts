/**
 * Links for people. The link to a deployment carries a key, so that people who can see its check run can read its logs
 * without an account. Nobody can guess the key from the deployment's id.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { fullName, type Repository } from '@nereid/contracts';

/** 128 bits in hex: beyond guessing, short enough for a link that is pasted into a chat. */
const KEY_LENGTH = 32;

/** A root of a repository, as a link names it: `<owner>/<name>/<root>`. */
export interface LaneName {
  readonly owner: string;
  readonly name: string;
  readonly rootName: string;
}

/** The page of a deployment. Without `linkKey` the page asks for a login (`CONSOLE_LOG_LINKS=login`). */
export function deploymentUrl(
  consoleUrl: string,
  linkKey: string | undefined,
  deploymentId: string,
  lane: LaneName,
): string {
  const url = new URL(`deployments/${encodeURIComponent(deploymentId)}`, withSlash(consoleUrl));
  url.searchParams.set('lane', `${lane.owner}/${lane.name}/${lane.rootName}`);
  if (linkKey !== undefined) url.searchParams.set('key', keyOf(linkKey, deploymentId));
  return url.href;
}

/** True when `key` is the one that `deploymentUrl` made for this deployment. Takes the same time for every wrong key. */
export function verifyLinkKey(linkKey: string, deploymentId: string, key: string): boolean {
  const expected = Buffer.from(keyOf(linkKey, deploymentId));
  const found = Buffer.from(key);
  return expected.length === found.length && timingSafeEqual(expected, found);
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

function keyOf(linkKey: string, deploymentId: string): string {
  return createHmac('sha256', linkKey).update(deploymentId).digest('hex').slice(0, KEY_LENGTH);
}

function withSlash(url: string): string {
  return url.endsWith('/') ? url : `${url}/`;
}
