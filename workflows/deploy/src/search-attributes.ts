import { defineSearchAttributeKey, SearchAttributeType, type SearchAttributePair } from '@temporalio/common';
import { fullName, SEARCH_ATTRIBUTE, type Deployment } from '@nereid/contracts';
import type { Lane } from './lane.ts';

const keyword = (name: string) => defineSearchAttributeKey(name, SearchAttributeType.KEYWORD);

export const REPOSITORY = keyword(SEARCH_ATTRIBUTE.repository);
export const ROOT = keyword(SEARCH_ATTRIBUTE.root);
export const REVISION = keyword(SEARCH_ATTRIBUTE.revision);
export const STATE = keyword(SEARCH_ATTRIBUTE.state);

/** What a terraform workflow can be found by; it keeps its state true by itself. */
export function searchAttributes(lane: Lane, deployment: Deployment): SearchAttributePair[] {
  return [
    { key: REPOSITORY, value: fullName(lane.repository) },
    { key: ROOT, value: lane.rootName },
    { key: REVISION, value: deployment.revision.sha },
  ];
}
