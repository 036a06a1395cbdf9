/** The topics of notifications, from the most urgent; `when` of a destination in the server's file chooses some of them. */
export const NOTIFICATION_TOPICS = [
  'outcome-unknown',
  'failed',
  'halted',
  'waits-for-person',
  'reminder',
  'locked',
  'stuck',
  'forged',
  'closing',
  'not-deployed',
  'succeeded',
  'applying',
] as const;

export type NotificationTopic = (typeof NOTIFICATION_TOPICS)[number];

/** Somebody is woken for these. */
export const ALARMING_TOPICS = [
  'outcome-unknown',
  'failed',
  'halted',
  'stuck',
  'forged',
] as const satisfies readonly NotificationTopic[];

/** A person has to do something about these. */
export const URGENT_TOPICS = [
  'outcome-unknown',
  'failed',
  'halted',
  'waits-for-person',
  'reminder',
  'locked',
  'stuck',
] as const satisfies readonly NotificationTopic[];
