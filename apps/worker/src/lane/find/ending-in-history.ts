/** The end that a terraform workflow was reporting and storing when it was ended by force. */
import type { Ending, TerraformActivities } from '@nereid/domain/deployment-actor';
import { object } from '@nereid/domain/message-shape';
import { readMessage, type Reading } from './read-message.ts';

const ENDING = { record: { repository: object, deployment: object } };

const TELLS_END: keyof TerraformActivities = 'endDeployment';

/** As the workflow gave it to its activity; undefined when the workflow had not come to its end. */
export async function readEnding(reading: Reading): Promise<Ending | undefined> {
  const { context, deploymentId } = reading;
  const { events } = await context.temporal.workflow.getHandle(deploymentId).fetchHistory();
  const asked = events?.find(
    ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name === TELLS_END,
  );
  const scheduled = asked?.activityTaskScheduledEventAttributes;
  if (!scheduled) return undefined;
  return (await readMessage(reading, scheduled.input, ENDING)) as Ending | undefined; // The contract of that activity.
}
