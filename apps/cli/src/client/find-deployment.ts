/** The deployment that a person means. */
import type { DeploymentDetail } from '@nereid/api';
import type { DeploymentArgument } from '../arguments/deployment-argument.ts';
import { laneText, type LaneArgument } from '../arguments/names.ts';
import { EXIT, ExitError } from '../exit-code.ts';
import type { Answer, Client } from './client.ts';

/** Where a deployment is found. */
export interface DeploymentPlace {
  readonly parameters: { readonly id: string };
  readonly query: { readonly lane?: string; readonly key?: string };
}

/** Of a lane, what runs there; `orLast`: otherwise what waits first, or what ended last. */
export async function placeOf(
  client: Client,
  argument: DeploymentArgument,
  { orLast = false }: { readonly orLast?: boolean } = {},
): Promise<DeploymentPlace> {
  if (argument.kind === 'id') {
    const { id, lane, key } = argument;
    return { parameters: { id }, query: { ...(lane !== undefined && { lane }), ...(key !== undefined && { key }) } };
  }
  const id = await idIn(client, argument.lane, orLast);
  return { parameters: { id }, query: { lane: laneText(argument.lane) } };
}

async function idIn(client: Client, lane: LaneArgument, orLast: boolean): Promise<string> {
  const { owner, name, root } = lane;
  const { running, queue, history } = (await client.get('getLane', { parameters: { owner, name, root } })).value;
  const found = running ?? (orLast ? (queue[0] ?? history[0]) : undefined);
  if (found !== undefined) return found.id;
  const what = orLast ? 'nothing was ever deployed' : 'nothing runs';
  throw new ExitError(EXIT.notFound, `${what} in ${laneText(lane)}: nereid lane ${laneText(lane)} says more`);
}

export function findDeployment(
  client: Client,
  { parameters, query }: DeploymentPlace,
  signal?: AbortSignal,
): Promise<Answer<DeploymentDetail>> {
  return client.get('getDeployment', { parameters, query }, signal);
}

export function laneOf({ lane: { owner, name, rootName } }: DeploymentDetail): string {
  return `${owner}/${name}/${rootName}`;
}

/** Its page, for a person. */
export function pageOf(client: Pick<Client, 'console'>, found: DeploymentDetail): string {
  return `${client.console}/deployments/${found.id}?${new URLSearchParams({ lane: laneOf(found) }).toString()}`;
}
