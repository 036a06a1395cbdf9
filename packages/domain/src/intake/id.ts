import { isConsoleRequest, type ReceivedEvent } from './intake.ts';

/** The intake workflow of an event. */
export function intakeWorkflowId({ delivery, event }: Pick<ReceivedEvent, 'delivery' | 'event'>): string {
  return isConsoleRequest(event) ? requestWorkflowId(delivery) : deliveryWorkflowId(delivery);
}

/** `delivery/<id of the delivery>`: the intake workflow of one webhook. */
export function deliveryWorkflowId(delivery: string): string {
  return `delivery/${delivery}`;
}

/** `request/<id>`: the intake workflow of one request from the console. */
export function requestWorkflowId(requestId: string): string {
  return `request/${requestId}`;
}
