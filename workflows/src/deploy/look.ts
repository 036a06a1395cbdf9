/** The question of a lane about other lanes. A new one takes the place of the one that is under way, whose answer nobody takes. */
import { CancellationScope } from '@temporalio/workflow';
import type { LaneEvent } from '@nereid/domain/lane';

export interface Look {
  /** Asks, and tells what `ask` returns or throws, unless another question takes its place. */
  instead(ask: () => Promise<LaneEvent>, failed: (error: unknown) => LaneEvent): void;
}

export function createLook(emit: (event: LaneEvent) => void): Look {
  let current: CancellationScope | undefined;
  return {
    instead(ask, failed) {
      current?.cancel();
      const scope = new CancellationScope();
      current = scope;
      const isCurrent = () => current === scope;
      scope.run(ask).then(
        (event) => isCurrent() && emit(event),
        (error: unknown) => isCurrent() && emit(failed(error)),
      );
    },
  };
}
