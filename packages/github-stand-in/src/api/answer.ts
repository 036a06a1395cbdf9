/** The API's answer to one request. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export const ok = (body: unknown): Answer => ({ status: 200, body });
export const created = (body: unknown): Answer => ({ status: 201, body });

/** A refusal of the API, in GitHub's words. Thrown anywhere while an answer is made, and caught where answers are sent. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal';
  readonly code = 'API_REFUSAL';
  readonly status: number;
  readonly errors: readonly unknown[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, errors: readonly unknown[] = [], headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.errors = errors;
    this.headers = headers;
  }
}

export const notFound = (): ApiRefusal => new ApiRefusal(404, 'Not Found');
export const unprocessable = (message: string): ApiRefusal => new ApiRefusal(422, message);
