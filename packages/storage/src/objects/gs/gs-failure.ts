import type { Cloud, Fault } from '../cloud-failure.ts';

/** Google's reasons of errors, and our own codes. */
const FAULTS: ReadonlyMap<string, Fault> = new Map<string, Fault>([
  ['CredentialsMissing', 'no-credentials'],
  ['CredentialsRejected', 'rejected'],
  ['required', 'no-credentials'],
  ['authError', 'rejected'],
  ['forbidden', 'denied'],
  ['accountDisabled', 'denied'],
  ['rateLimitExceeded', 'busy'],
  ['userRateLimitExceeded', 'busy'],
  ['backendError', 'busy'],
  ['internalError', 'busy'],
  ['UploadStuck', 'broken-off'],
  ['UploadGone', 'broken-off'],
]);

export function gsCloud(bucket: string): Cloud {
  return {
    place: `the bucket ${bucket}`,
    credentials: 'a service account of the machine or the pod, or the file of GOOGLE_APPLICATION_CREDENTIALS',
    address: 'storage.gs.endpoint',
    faults: FAULTS,
    statusOf: (error) => (error instanceof GsAnswerError ? error.status : 0),
  };
}

/** Google answered with an error. Its text may hold account ids; the address of the request is not kept. */
export class GsAnswerError extends Error {
  override readonly name = 'GsAnswerError';
  /** Google's reason; empty when it gave none. */
  readonly code: string;
  readonly status: number;

  constructor(status: number, code: string, message: string) {
    super(`Google Cloud Storage answered ${status}: ${message}`);
    this.status = status;
    this.code = code;
  }
}

/** There are no credentials, or Google gives no token for them. Holds no part of the request. */
export class GsCredentialsError extends Error {
  override readonly name = 'GsCredentialsError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** An error of the API takes less than a kilobyte; a proxy's page is cut. */
const ANSWER_LIMIT = 2_000;

/** Reads the answer to its end, so that its connection can be used again. */
export async function answerError(response: Response): Promise<GsAnswerError> {
  const text = (await response.text()).slice(0, ANSWER_LIMIT);
  const { message = text, reason = '' } = parseAnswer(text);
  return new GsAnswerError(response.status, reason, message);
}

/** `{ "error": { "message": …, "errors": [{ "reason": … }] } }`; contents of objects are refused with a bare message. */
function parseAnswer(text: string): { message?: string; reason?: string } {
  try {
    const answer = JSON.parse(text) as { error?: { message?: unknown; errors?: { reason?: unknown }[] } }; // Checked below.
    const message = answer.error?.message;
    const reason = answer.error?.errors?.[0]?.reason;
    return { ...(typeof message === 'string' && { message }), ...(typeof reason === 'string' && { reason }) };
  } catch {
    return {};
  }
}
