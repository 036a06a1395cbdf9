import { OPERATIONS, type DeploymentList } from '@nereid/api';
import type { Request } from 'express';
import { readingOf, type Refusal } from '../../access/reading.ts';
import { sightOf } from '../../access/sight.ts';
import type { Context } from '../../context.ts';
import { AWAY, BAD_QUERY, readQuery } from '../../html/lists.ts';
import type { Message } from '../../html/send-message.ts';
import { createPatience } from '../../in-time.ts';
import { createPatientDays, patientTrail } from '../../trail/patient-days.ts';
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
  const { logger, trail, links } = context;
  const { readFleet } = sightOf(context, reading.reader);
  // It has a patience of its own.
  const picture = await readFleet();
  const patience = createPatience(context.patienceMs);
  const { readEnded } = sightOf({ ...context, trail: patientTrail(trail, patience) }, reading.reader);
  const days = createPatientDays(readEnded, { patience, logger });
  const list = await listDeployments(query.value, {
    readFleet: () => Promise.resolve(picture),
    days,
    githubUrl: links.githubUrl,
    nowMs: Date.now(),
  });
  if (list === undefined) return { kind: 'message', message: BAD_QUERY };
  const isNothingKnown = list.items.length === 0 && days.missing().length > 0;
  return isNothingKnown ? { kind: 'message', message: AWAY } : { kind: 'found', list };
}
