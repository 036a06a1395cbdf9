/** The end that a terraform workflow was reporting and storing when it was ended by force. */
import type { Ending, TerraformActivities } from '@nereid/domain/deployment-actor';
import type { Client } from '@temporalio/client';
import { decodeFirst } from '@nereid/process';

const TELLS_END: keyof TerraformActivities = 'endDeployment';

/** As the workflow gave it to its activity; undefined when the workflow had not come to its end. */
export async function readEnding(workflow: Client['workflow'], deploymentId: string): Promise<Ending | undefined> {
  const { events } = await workflow.getHandle(deploymentId).fetchHistory();
  const asked = events?.find(
    ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name === TELLS_END,
  );
  const input = asked?.activityTaskScheduledEventAttributes?.input;
  return (await decodeFirst(workflow.options, input)) as Ending | undefined; // The contract of that activity.
}
