import { OPERATIONS, type DeploymentList } from '@nereid/api';
import type { Request } from 'express';
import { isLocal, NOT_LOCAL } from '../../access/is-local.ts';
import type { Context } from '../../context.ts';
import { AWAY, BAD_QUERY, withoutEmpty } from '../../html/lists.ts';
import type { Message } from '../../html/send-message.ts';
import { listDeployments } from './list-deployments.ts';

export type AnsweredList =
  { readonly kind: 'found'; readonly list: DeploymentList } | { readonly kind: 'message'; readonly message: Message };

/** Only for people on the console's own machine, like all lists of everything. */
export async function answerList(context: Context, { query, headers, path }: Request): Promise<AnsweredList> {
  if (!isLocal(context.access, headers.host)) return { kind: 'message', message: NOT_LOCAL };
  const read = OPERATIONS.listDeployments.query.safeParse(withoutEmpty(query));
  if (!read.success) return { kind: 'message', message: BAD_QUERY };
  const { readFleet, trail, links, logger } = context;
  const sources = { readFleet, readEnded: trail.readEnded, githubUrl: links.githubUrl, nowMs: Date.now() };
  try {
    const list = await listDeployments(read.data, sources);
    return list === undefined ? { kind: 'message', message: BAD_QUERY } : { kind: 'found', list };
  } catch (error) {
    logger.error({ err: error, path }, 'storage could not be read');
    return { kind: 'message', message: AWAY };
  }
}
