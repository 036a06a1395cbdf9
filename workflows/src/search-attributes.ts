/** What workflows can be found by in lists of the Temporal UI. */
import { SEARCH_ATTRIBUTE } from '@nereid/domain/temporal-names';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

const keyword = (name: string) => defineSearchAttributeKey(name, SearchAttributeType.KEYWORD);

export const REPOSITORY = keyword(SEARCH_ATTRIBUTE.repository);
export const ROOT = keyword(SEARCH_ATTRIBUTE.root);
export const REVISION = keyword(SEARCH_ATTRIBUTE.revision);
export const STATE = keyword(SEARCH_ATTRIBUTE.state);
