/** The answers of control to hosts and the console. */
import type { AskActivities, Answers } from '@nereid/domain/activities';
import { inParts } from '@nereid/domain/parts';
import { Context } from '@temporalio/activity';
import { showLateOutcome } from './lane/show/show-late-outcome.ts';
import { createAccessActivities } from './person/access-activities.ts';
import type { WorkerConfig } from './platform/config/config.ts';
import type { WorkerContext } from './platform/context.ts';
import { withFailures } from './platform/failures/failures.ts';
import { sealKeyOf } from './platform/keys/pool-keys.ts';
import { withHeartbeats } from './platform/temporal/with-heartbeats.ts';
import { createIdentityTokenActivities } from './platform/tokens/identity/seal-identity-token.ts';
import { prepareRevert } from './pull-request/reverts/prepare-revert.ts';
import { requestRevert } from './pull-request/reverts/request-revert.ts';
import { createMint } from './platform/tokens/read-tokens.ts';
import { createReadTokenActivities } from './platform/tokens/seal-read-token.ts';

export function createAskActivities(config: WorkerConfig, context: WorkerContext): AskActivities {
  const tools = { context, sealKeyOf: (pool: string) => sealKeyOf(config, pool) };
  return {
    answer: inParts<Answers>({
      ...createAccessActivities(context),
      ...createReadTokenActivities({ ...tools, mint: createMint(context) }),
      ...createIdentityTokenActivities(tools),
      ...withFailures({
        showLateOutcome: (outcome) =>
          withHeartbeats(async () => {
            const sentence = await showLateOutcome(context, outcome);
            await requestRevert(context, outcome.body);
            return sentence;
          }),
        prepareRevert: (request) =>
          withHeartbeats(() => prepareRevert({ context, signal: Context.current().cancellationSignal }, request)),
      } satisfies Pick<Answers, 'showLateOutcome' | 'prepareRevert'>),
    }),
  };
}
