/** Temporal as it is, but that it does not take the signals to some lanes. */
import { Client } from '@temporalio/client';
import type { WorkerContext } from '../../context.ts';

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
