/** How long S3 is waited for, and how often it is asked. */

export const CLIENT_LIMITS = {
  /** The first attempt and two more: a dropped connection is not worth a failed activity. */
  maxAttempts: 3,
  requestHandler: {
    /** A connection within a region takes milliseconds. */
    connectionTimeout: 3_000,
    /** An answer's headers; 8 MiB have to be on their way by then, also over a slow link (4 Mbit/s). */
    requestTimeout: 20_000,
    throwOnRequestTimeout: true,
    /** No byte in either direction. */
    socketTimeout: 10_000,
  },
};

/** One call with all its attempts. Below the 60 s after which a heartbeat would be missed. */
const CALL_MS = 45_000;

export function callDeadline(): { abortSignal: AbortSignal } {
  return { abortSignal: AbortSignal.timeout(CALL_MS) };
}
