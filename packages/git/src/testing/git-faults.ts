/** Ways in which a server, or the network before it, fails a request. */
import type { IncomingMessage, ServerResponse } from 'node:http';

export type GitFault = 'bad gateway' | 'closed' | 'cut short' | 'silence';

export function answerWithFault(
  fault: Exclude<GitFault, 'cut short'>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (fault === 'bad gateway') response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad Gateway</html>');
  if (fault === 'closed') request.socket.destroy();
}

/** The connection ends in the middle of the first part of the body. */
export function cutShort(response: ServerResponse): ServerResponse {
  const write = response.write.bind(response);
  response.write = (chunk: Buffer) => {
    write(chunk.subarray(0, chunk.length / 2), () => response.destroy());
    return true;
  };
  response.end = (chunk?: unknown) => {
    if (typeof chunk === 'string') response.write(Buffer.from(chunk));
    return response;
  };
  return response;
}
