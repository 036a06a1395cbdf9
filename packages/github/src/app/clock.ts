/**
 * How far this machine's clock is ahead of GitHub's, in milliseconds; negative when it is behind. Undefined when the answer has
 * no time. Throws when nobody answers.
 */
export async function readClockSkew(apiUrl: string, signal: AbortSignal): Promise<number | undefined> {
  const startedAt = Date.now();
  // It costs nothing of any limit; whatever is answered, also to those that GitHub does not know, has its time.
  const { headers, body } = await fetch(`${apiUrl}/rate_limit`, { redirect: 'manual', signal });
  await body?.cancel();
  const theirs = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(theirs)) return undefined;
  // Half of the way was the answer's; the header leaves out the part of a second.
  return (startedAt + Date.now()) / 2 - (theirs + 500);
}
