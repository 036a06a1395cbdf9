import type { Message } from '../platform/http/send-message.ts';

/** The service that knows what a person may see did not answer, or is no longer asked: that is never a yes. */
export class AccessUnknownError extends Error {
  override readonly name = 'AccessUnknownError';
  readonly code = 'ACCESS_UNKNOWN';
  readonly retryAfterS: number;

  constructor(why: string, retryAfterS: number, options?: ErrorOptions) {
    super(why, options);
    this.retryAfterS = retryAfterS;
  }

  /** For people. */
  get told(): Message {
    const sentence = `Nobody can say at the moment which repositories you may see: ${this.message}. Try again later.`;
    return { status: 503, title: 'Not now', sentence };
  }
}
