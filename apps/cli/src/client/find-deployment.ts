/** The deployment that a person means. */
import { defined } from '@nereid/domain/defined';
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
    return { parameters: { id }, query: defined({ lane, key }) };
  }
  if (argument.kind === 'short') return placeOfShort(client, argument.beginning);
  const id = await idIn(client, argument.lane, orLast);
  return { parameters: { id }, query: { lane: laneText(argument.lane) } };
}

/** People take what they see in a list; what is older has a whole id in its lane. */
const SEARCHED = 2_000;
const PAGE = 500;

async function placeOfShort(client: Client, beginning: string): Promise<DeploymentPlace> {
  let cursor: string | undefined;
  for (let searched = 0; searched < SEARCHED; searched += PAGE) {
    const { items, next } = (await client.get('listDeployments', { query: { limit: PAGE, cursor } })).value;
    const found = items.filter(({ id }) => id.startsWith(beginning));
    const [one] = found;
    if (found.length > 1)
      throw new ExitError(
        EXIT.wrongUsage,
        `${found.length} deployments begin with ${beginning}: ${found.map(({ id }) => id).join(', ')}`,
      );
    if (one) return { parameters: { id: one.id }, query: { lane: `${one.repository}/${one.rootName}` } };
    if (next === undefined) break;
    cursor = next;
  }
  throw new ExitError(
    EXIT.notFound,
    `none of the last deployments begins with ${beginning}: name it by its whole id, which --json prints`,
  );
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
