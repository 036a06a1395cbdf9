/** Timeouts and retries of calls to S3. */

export const CLIENT_LIMITS = {
  /** The first attempt and two retries: a dropped connection is not worth a failed activity. */
  maxAttempts: 3,
  requestHandler: {
    /** A connection within a region takes milliseconds. */
    connectionTimeout: 3_000,
    /** Until a response's headers arrive. 8 MiB must be uploaded by then, even over a slow link (4 Mbit/s). */
    requestTimeout: 20_000,
    throwOnRequestTimeout: true,
    /** Without a byte in either direction. */
    socketTimeout: 10_000,
  },
};

/** For one call with all its attempts. Below the 60 s after which a heartbeat would be missed. */
const CALL_MS = 45_000;

export function callDeadline(): { abortSignal: AbortSignal } {
  return { abortSignal: AbortSignal.timeout(CALL_MS) };
}
