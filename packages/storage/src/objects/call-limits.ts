/** How long calls to a cloud may take, and how often each is attempted. */
export interface CallLimits {
  readonly attempts: number;
  readonly connectMs: number;
  /** Until an answer is there: for an object that is read as a stream, its headers. */
  readonly answerMs: number;
  /** Without a byte of a stream that is read. */
  readonly silenceMs: number;
  /** For one call with all its attempts. */
  readonly callMs: number;
  /** Before the second attempt; each further pause is twice as long. */
  readonly pauseMs: number;
  /** The keys that one listing request asks for. */
  readonly pageKeys: number;
}

export const CALL_LIMITS: CallLimits = {
  /** The first attempt and two more: a dropped connection is not worth a failed activity. */
  attempts: 3,
  /** A connection within a region takes milliseconds. */
  connectMs: 3_000,
  /** 8 MiB must be uploaded by then, even over a slow link (4 Mbit/s). */
  answerMs: 20_000,
  silenceMs: 10_000,
  /** Below the 60 s after which a heartbeat would be missed. */
  callMs: 45_000,
  /** Google takes one write of an object a second. */
  pauseMs: 500,
  /** S3 and Google return no more; Azure would. */
  pageKeys: 1_000,
};
