import { QueryNotRegisteredError, type WorkflowHandle } from '@temporalio/client';

/** Asks again where the query reached the workflow before its first events: interceptors.ts in workflows refuses such a query. */
export async function queryAgain<T>(workflow: WorkflowHandle, query: string): Promise<T> {
  for (;;) {
    try {
      return await workflow.query<T>(query);
    } catch (error) {
      if (!(error instanceof QueryNotRegisteredError)) throw error;
    }
  }
}
