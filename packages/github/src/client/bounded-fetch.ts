/**
 * A fetch with a deadline that covers the body too.
 *
 * octokit takes a body that breaks off for an empty one. So the body is read here, where breaking off is a failure.
 */
export function createBoundedFetch(timeoutMs: number): typeof fetch {
  return async (input, init) => {
    const signals = [AbortSignal.timeout(timeoutMs), ...(init?.signal ? [init.signal] : [])];
    const response = await fetch(input, { ...init, signal: AbortSignal.any(signals) });
    const body = await response.arrayBuffer();
    return new Response(hasNoBody(response.status) ? null : body, response);
  };
}

/** The statuses with which `Response` refuses even an empty body. */
function hasNoBody(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}
