import { afterAll, beforeAll } from '@jest/globals';
import type { LaneDurations } from '@nereid/domain/lane';
import { createWorkflowEnvironment, type WorkflowEnvironment } from '@nereid/test-kit/workflow-environment';
import { withLane, type LaneDriver } from './lane-driver.ts';

type InLane = (act: (lane: LaneDriver) => Promise<void>, durations?: Partial<LaneDurations>) => () => Promise<void>;

/** Opens an environment for the tests of a file. What it returns makes a test of what is done to a lane of its own. */
export function openLanes(): InLane {
  let environment: WorkflowEnvironment;
  beforeAll(async () => {
    environment = await createWorkflowEnvironment();
  });
  afterAll(() => environment.close());
  return (act, durations) => () => withLane(environment, act, durations);
}
