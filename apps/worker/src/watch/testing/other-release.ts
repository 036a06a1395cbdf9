/** Workflows of a release whose code decides otherwise from its first command on: they begin by saying how they are. */
import { MESSAGE, SEARCH_ATTRIBUTE } from '@nereid/contracts';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { defineUpdate, setHandler, upsertSearchAttributes } from '@temporalio/workflow';

const STATE = defineSearchAttributeKey(SEARCH_ATTRIBUTE.state, SearchAttributeType.KEYWORD);

export async function deploy(): Promise<void> {
  setHandler(defineUpdate<boolean, [unknown]>(MESSAGE.notice), () => true);
  await anHour();
}

export const terraform = anHour;

async function anHour(): Promise<void> {
  upsertSearchAttributes([{ key: STATE, value: 'of another release' }]);
  await new Promise((resolve) => setTimeout(resolve, 3_600_000));
}
