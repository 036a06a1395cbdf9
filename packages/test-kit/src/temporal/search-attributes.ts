import { SEARCH_ATTRIBUTE } from '@nereid/contracts';
import type { Connection } from '@temporalio/client';

/** Enough for a server that is up; one that is starting is asked again. */
const CALL_TIMEOUT_MS = 1_000;

/** Whether the namespace exists and knows all our search attributes. */
export async function hasSearchAttributes(connection: Connection, namespace: string): Promise<boolean> {
  const listed = await connection.withDeadline(Date.now() + CALL_TIMEOUT_MS, () =>
    connection.operatorService.listSearchAttributes({ namespace }),
  );
  return Object.values(SEARCH_ATTRIBUTE).every((name) => name in listed.customAttributes);
}
