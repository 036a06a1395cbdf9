/** Workflows of a release that differs from its first command on: they begin by setting their search attribute. */
import { SEARCH_ATTRIBUTE } from '@nereid/domain/temporal-names';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { upsertSearchAttributes } from '@temporalio/workflow';

const STATE = defineSearchAttributeKey(SEARCH_ATTRIBUTE.state, SearchAttributeType.KEYWORD);

export const deploy = anHour;

export const terraform = anHour;

async function anHour(): Promise<void> {
  upsertSearchAttributes([{ key: STATE, value: 'of another release' }]);
  await new Promise((resolve) => setTimeout(resolve, 3_600_000));
}
