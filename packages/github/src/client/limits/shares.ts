/** The share of GitHub's points that requests of each priority may take. */
import type { Priority } from '@nereid/forge';

/**
 * Points per minute. A hundred of GitHub's 900 are left for people, whose questions are reads. A fifth of the other 800 is
 * kept for requests above progress, and half of that fifth for ends and buttons alone: 16 writes a minute. Pull requests come by
 * the hundred: they leave 48 writes a minute to deployments. GitHub's list of deployments repeats what check runs say: it leaves 16
 * more. People who only look begin when a third of the points is taken by nobody.
 */
export const LIMITS: Readonly<Record<Priority, number>> = {
  final: 800,
  first: 720,
  progress: 640,
  preview: 560,
  environment: 480,
  look: 300,
};

/**
 * GitHub takes 500 new objects in an hour, and then none of any kind. Its list of deployments repeats what check runs say, so it gets
 * less than half of them: what comes after that waits, and closes the line of nobody.
 */
export const ENVIRONMENT_WRITES_AN_HOUR = 240;

/** The part of an hour's budget that is kept from people who only look: it is for deployments, and for those who press buttons. */
export const KEPT_FROM_LOOKS = 0.5;

/**
 * The share of a minute's points that a second may take, for reserved turns, and for all requests after GitHub limited us:
 * sixteen writes, about as many as six places can do when GitHub takes 400 ms for each.
 */
const SHARE_OF_A_SECOND = 0.1;

/** The lowest begins first. */
export const RANK: Readonly<Record<Priority, number>> = {
  final: 0,
  first: 1,
  progress: 2,
  preview: 3,
  environment: 4,
  look: 5,
};

/** Points per second. */
export function paceOf(priority: Priority): number {
  return LIMITS[priority] * SHARE_OF_A_SECOND;
}
