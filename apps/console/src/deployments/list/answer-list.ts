import { OPERATIONS, type DeploymentList } from '@nereid/api';
import type { Request } from 'express';
import { AccessUnknownError } from '../../access/access-unknown.ts';
import { readingOf, type Refusal } from '../../access/reading.ts';
import { sightOf } from '../../access/sight.ts';
import type { Context } from '../../context.ts';
import { AWAY, BAD_QUERY, readQuery } from '../../html/lists.ts';
import type { Message } from '../../html/send-message.ts';
import { listDeployments } from './list-deployments.ts';

export type AnsweredList =
  | { readonly kind: 'found'; readonly list: DeploymentList }
  | { readonly kind: 'message'; readonly message: Message }
  | Refusal;

/** Those of repositories that the visitor may see. */
export async function answerList(context: Context, request: Request): Promise<AnsweredList> {
  const reading = await readingOf(context, request);
  if (reading.kind === 'refused') return reading;
  const query = readQuery(OPERATIONS.listDeployments.query, request);
  if (query.kind === 'message') return query;
  const { readFleet, readEnded } = sightOf(context, reading.reader);
  const sources = { readFleet, readEnded, githubUrl: context.links.githubUrl, nowMs: Date.now() };
  try {
    const list = await listDeployments(query.value, sources);
    return list === undefined ? { kind: 'message', message: BAD_QUERY } : { kind: 'found', list };
  } catch (error) {
    if (error instanceof AccessUnknownError) throw error;
    context.logger.error({ err: error, path: request.path }, 'storage could not be read');
    return { kind: 'message', message: AWAY };
  }
}
