/** How addresses of the console's pages name lanes and pull requests. */

/** A root of a repository, as a link names it: `<owner>/<name>/<root>`. */
export interface LaneName {
  readonly owner: string;
  readonly name: string;
  readonly rootName: string;
}

/** A pull request, as the address of its page names it. */
export interface PullRequestName {
  readonly owner: string;
  readonly name: string;
  readonly number: number;
}

/** `<owner>/<name>/<root>`. */
export function nameOfLane({ owner, name, rootName }: LaneName): string {
  return `${owner}/${name}/${rootName}`;
}

/** Parses the `lane` of `deploymentUrl`; undefined when it is not a lane's name. */
export function parseLaneName(lane: string): LaneName | undefined {
  const [owner, name, rootName, ...rest] = lane.split('/');
  if (!isName(owner) || !isName(name) || !isName(rootName) || rest.length > 0) return undefined;
  return { owner, name, rootName };
}

/** The parts of the address of a pull request's page; undefined when there can be no such pull request. */
export function parsePullRequestName(owner: unknown, name: unknown, number: unknown): PullRequestName | undefined {
  if (typeof owner !== 'string' || typeof name !== 'string' || typeof number !== 'string') return undefined;
  if (!isName(owner) || !isName(name) || !/^[1-9]\d{0,8}$/.test(number)) return undefined;
  return { owner, name, number: Number(number) };
}

/**
 * The purpose of the key of a deployment's page. It names the lane too: the id in a link may belong to another lane's deployment,
 * if somebody who reaches Temporal made the link up, and this lane has none by that id.
 */
export function deploymentPageSubject(deploymentId: string, lane: LaneName): string {
  return `deployments/${nameOfLane(lane)}/${deploymentId}`;
}

/** The purpose of the key of a pull request's page: `pulls/<owner>/<name>/<number>`. */
export function pullRequestPageSubject({ owner, name, number }: PullRequestName): string {
  return `pulls/${owner}/${name}/${number}`;
}

/** Whether forges and the rules for roots allow this name; `.` and `..` are refused, because they are steps in a path. */
function isName(part: string | undefined): part is string {
  return part !== undefined && part !== '.' && part !== '..' && /^[\w.-]{1,100}$/.test(part);
}
