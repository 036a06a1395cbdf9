const BEARER = /^Bearer +(?<token>[\w~+/.-]{1,16384}=*)$/i;

/** The token in the value of a header; undefined without one. */
export function bearerOf(value: string | undefined): string | undefined {
  return BEARER.exec(value ?? '')?.groups?.['token'];
}
