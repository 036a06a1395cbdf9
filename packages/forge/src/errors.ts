/** How a forge fails to answer. An adapter writes the messages: what was asked of which forge, what was found, what to do. */

interface Failure extends ErrorOptions {
  /** As HTTP has it; 0 when there was no answer. */
  readonly status: number;
  /** How long the forge asked us to wait, if it did. */
  readonly retryAfterMs?: number | undefined;
  /** Whether the forge certainly never heard of the request. */
  readonly isUnsent?: boolean;
}

/** The forge could not be asked: no answer, a server error, a limit, or no right to ask. The same request may succeed later. */
export class ForgeUnavailableError extends Error {
  override readonly name: string = 'ForgeUnavailableError';
  readonly code = 'FORGE_UNAVAILABLE';
  readonly status: number;
  readonly retryAfterMs: number | undefined;
  readonly isUnsent: boolean;

  constructor(message: string, { status, retryAfterMs, isUnsent = false, ...options }: Failure) {
    super(message, options);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.isUnsent = isUnsent;
  }
}

/** The forge lets Nereid do nothing, until somebody acts. That says nothing about the object of the request. */
export class ForgeShutOutError extends ForgeUnavailableError {
  override readonly name: string = 'ForgeShutOutError';
}

/** The forge understood the request and refused it. Asking again changes nothing. */
export class ForgeRefusedError extends Error {
  override readonly name: string = 'ForgeRefusedError';
  readonly code = 'FORGE_REFUSED';
  /** As HTTP has it, 4xx: 404 for an object that does not exist. */
  readonly status: number;

  constructor(message: string, { status, ...options }: Omit<Failure, 'retryAfterMs' | 'isUnsent'>) {
    super(message, options);
    this.status = status;
  }
}

/** True when the forge will not take it: it refused the request, or lets Nereid in there no more, so nobody waits for it. */
export function isRefused(error: unknown): boolean {
  return error instanceof ForgeRefusedError || (error instanceof ForgeShutOutError && error.status === 404);
}
