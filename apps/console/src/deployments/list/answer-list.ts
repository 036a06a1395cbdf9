import { OPERATIONS, type DeploymentList } from '@nereid/api';
import type { Pages } from '@nereid/forge';
import type { Request } from 'express';
import { daysInSight, type DaysInSightSources } from '../../access/patient-days.ts';
import { readingOf, type ReadingSources, type Refusal } from '../../access/reading.ts';
import { sightOf } from '../../access/sight.ts';
import { AWAY, BAD_QUERY, readQuery } from '../../platform/http/lists.ts';
import type { Message } from '../../platform/http/send-message.ts';
import { listDeployments } from './list-deployments.ts';

export type AnsweredList =
  | { readonly kind: 'found'; readonly list: DeploymentList }
  | { readonly kind: 'message'; readonly message: Message }
  | Refusal;

export interface ListRequestSources extends ReadingSources, DaysInSightSources {
  readonly links: { readonly forgePages: Pages };
}

/** Those of repositories that the visitor may see. */
export async function answerList(sources: ListRequestSources, request: Request): Promise<AnsweredList> {
  const reading = await readingOf(sources, request);
  if (reading.kind === 'refused') return reading;
  const query = readQuery(OPERATIONS.listDeployments.query, request);
  if (query.kind === 'message') return query;
  const { reader } = reading;
  // It has a patience of its own.
  const picture = await sightOf(sources, reader).readFleet();
  const { days } = daysInSight(sources, reader, ({ readEnded }) => readEnded);
  const list = await listDeployments(query.value, {
    readFleet: () => Promise.resolve(picture),
    days,
    forgePages: sources.links.forgePages,
    nowMs: Date.now(),
  });
  if (list === undefined) return { kind: 'message', message: BAD_QUERY };
  const isNothingKnown = list.items.length === 0 && days.missing().length > 0;
  return isNothingKnown ? { kind: 'message', message: AWAY } : { kind: 'found', list };
}
