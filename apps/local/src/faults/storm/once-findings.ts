/** Checks that everything came exactly once: for a storm in which nothing is killed, rejected or repeated by people. */
import type { AuditEvent } from '@nereid/domain/trail';
import type { Facts, Findings } from './findings.ts';

export function onceFindingsOf(facts: Facts, confirmedBy: ReadonlyMap<string, string>): Findings {
  return {
    'every merge was applied exactly once': notOnce(facts),
    'every deployment succeeded': notSucceeded(facts),
    'every approval counted, once and in the name of its person': miscounted(facts, confirmedBy),
    'every plan that asks for a review got one': unasked(facts, confirmedBy),
  };
}

function notOnce({ pushed, ledger }: Facts): string[] {
  return pushed.flatMap(({ rootName, number }) => {
    const { length } = ledger.filter((entry) => entry.rootName === rootName && entry.number === number);
    return length === 1 ? [] : [`${rootName} merge ${number}: ${length} times`];
  });
}

function notSucceeded({ deployments }: Facts): string[] {
  return deployments
    .filter(({ progress }) => progress.status !== 'succeeded')
    .map(({ id, root, progress }) => `${root.name} ${id}: ${progress.status} ${progress.reason ?? ''}`);
}

function miscounted({ deployments, audited }: Facts, confirmedBy: ReadonlyMap<string, string>): string[] {
  return [...confirmedBy].flatMap(([id, person]) => {
    const review = deployments.find((deployment) => deployment.id === id)?.progress.review;
    const events = audited.filter((event) => isAnswerTo(event, id)).map(({ state }) => state);
    const isCounted = review?.answer === 'approved' && review.by === person && events.join() === 'REVIEWED';
    return isCounted ? [] : [`${id}: by ${review?.by ?? 'nobody'} for ${person}, ${events.join() || 'no event'}`];
  });
}

/** An event that was stored again has the same id, and counts once; there is no lock here that anybody could unlock. */
function isAnswerTo(event: AuditEvent, deploymentId: string): boolean {
  return 'action' in event && 'deploymentId' in event && event.deploymentId === deploymentId;
}

function unasked({ deployments }: Facts, confirmedBy: ReadonlyMap<string, string>): string[] {
  return deployments
    .filter(({ id, progress }) => progress.plan?.reviewRequired === true && !confirmedBy.has(id))
    .map(({ id, root }) => `${root.name} ${id}`);
}
