/**
 * A body that its holder signed, after `open` has verified it and compared what it is about. What shows, stores or acts takes one of
 * these, so nobody forgets to verify. It never leaves its process: what is sent on is the envelope, `signed`.
 */
import type { Signed } from '@nereid/domain/signed';

/** Only `open` makes one: the private field keeps copies and look-alikes from being of this type. */
export class Proven<Body> {
  readonly #body: Body;
  readonly #signature: string;

  constructor(body: Body, signature: string) {
    this.#body = body;
    this.#signature = signature;
  }

  /** Frozen, with everything in it. */
  get body(): Body {
    return this.#body;
  }

  get signature(): string {
    return this.#signature;
  }

  /** As it came, to be sent on: whoever gets it opens it again. */
  get signed(): Signed<Body> {
    return { body: this.#body, signature: this.#signature };
  }

  toJSON(): never {
    throw new Error('expected what is proven to stay in its process, found that it is written as JSON; send `signed`');
  }
}

export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  Object.values(value).forEach(frozen);
  return Object.freeze(value);
}
