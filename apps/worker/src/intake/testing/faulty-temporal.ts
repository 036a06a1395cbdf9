/** Temporal as it is, but for what some workflows hear or say. */
import type { Progress } from '@nereid/domain/deployment';
import { MESSAGE } from '@nereid/domain/temporal-names';
import { Client } from '@temporalio/client';
import type { WorkerContext } from '../../platform/context.ts';

/** While the set holds a lane's id, whoever signals that lane is refused. */
export function withoutSignalsTo(context: WorkerContext, laneIds: ReadonlySet<string>): WorkerContext {
  const { connection, options } = context.temporal;
  const temporal = new Client({
    connection,
    namespace: options.namespace,
    interceptors: {
      workflow: [
        {
          signalWithStart: async (input, next) => {
            if (laneIds.has(input.options.workflowId)) throw new Error('Temporal does not take it');
            return next(input);
          },
        },
      ],
    },
  });
  return { ...context, temporal };
}

/** Deployments on which nobody works say how far they are, as their workflows would. */
export function withProgressOf({ connection, options }: Client, progresses: ReadonlyMap<string, Progress>): Client {
  return new Client({
    connection,
    namespace: options.namespace,
    interceptors: {
      workflow: [
        {
          query: async (input, next) => {
            const progress = progresses.get(input.workflowExecution.workflowId);
            return input.queryType === MESSAGE.progress && progress ? progress : next(input);
          },
        },
      ],
    },
  });
}
