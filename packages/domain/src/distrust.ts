/** Why a server's certificate was refused, for the person who runs Nereid. */

/** More than any error has inside it. */
const CAUSES_LIMIT = 5;

/**
 * An error and what caused it, the outermost first: fetch hides the network's own error in a cause, and of several addresses of one
 * host, each failed. By shape, because Node's own errors may come from another realm.
 */
export function causesOf(error: unknown): readonly object[] {
  const causes: object[] = [];
  for (let each = error; isObject(each) && causes.length < CAUSES_LIMIT; each = innerOf(each)) causes.push(each);
  return causes;
}

function innerOf(error: object): unknown {
  if ('cause' in error && error.cause !== undefined) return error.cause;
  return 'errors' in error && Array.isArray(error.errors) ? error.errors[0] : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/**
 * The end of a sentence: the certificate that was found, and the remedy. Undefined when the failure is another one. Another attempt
 * finds the same certificate.
 */
export function distrustOf(error: unknown): string | undefined {
  for (const each of causesOf(error)) {
    const code = 'code' in each && typeof each.code === 'string' ? each.code : '';
    const known = DISTRUST.find(({ codes }) => new RegExp(codes).test(code));
    if (known !== undefined) return `${known.found} (${code}); ${known.remedy}`;
  }
  return undefined;
}

/** Patterns of Node's words for certificates. */
const DISTRUST = [
  {
    codes: '^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_[A-Z_]+)$',
    found: 'a certificate that this machine does not trust',
    remedy: 'name the file of its authority in NODE_EXTRA_CA_CERTS',
  },
  {
    codes: '^CERT_(HAS_EXPIRED|NOT_YET_VALID)$',
    found: 'a certificate that is not valid today',
    remedy: 'renew it, or set the clock of this machine',
  },
  {
    codes: '^ERR_TLS_CERT_ALTNAME_INVALID$',
    found: 'a certificate of another name',
    remedy: 'correct the address, or the certificate',
  },
] as const;
