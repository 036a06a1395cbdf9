/** The search attributes of lanes and deployments, for lists of the Temporal UI. */
import { defineSearchAttributeKey, SearchAttributeType, type SearchAttributePair } from '@temporalio/common';
import { fullName, SEARCH_ATTRIBUTE, type Deployment } from '@nereid/contracts';
import type { LaneActor } from '@nereid/lane';

const keyword = (name: string) => defineSearchAttributeKey(name, SearchAttributeType.KEYWORD);

const REPOSITORY = keyword(SEARCH_ATTRIBUTE.repository);
const ROOT = keyword(SEARCH_ATTRIBUTE.root);
export const REVISION = keyword(SEARCH_ATTRIBUTE.revision);
export const STATE = keyword(SEARCH_ATTRIBUTE.state);

/** The first search attributes of a terraform workflow, which adds its state by itself. */
export function searchAttributes(lane: LaneActor, deployment: Deployment): SearchAttributePair[] {
  return [
    { key: REPOSITORY, value: fullName(lane.repository) },
    { key: ROOT, value: lane.rootName },
    { key: REVISION, value: deployment.revision.sha },
  ];
}
