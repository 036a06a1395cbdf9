/** The part of a git server that stores contents of Git LFS. */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

export interface LfsStore {
  /** Stores a content under its own id, or under another one, and returns a pointer to it. */
  store(content: string, id?: string): string;
  /** The pages of `answerLfs`, without the rest of the address. */
  readonly objects: Map<string, string>;
}

export function createLfsStore(): LfsStore {
  const objects = new Map<string, string>();
  return {
    objects,
    store(content, id = createHash('sha256').update(content).digest('hex')) {
      objects.set(id, content);
      return lfsPointer(id, Buffer.byteLength(content));
    },
  };
}

export function lfsPointer(id: string, bytes: number): string {
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${id}\nsize ${bytes}\n`;
}

/** False when the request is none of Git LFS. */
export function answerLfs({ objects }: LfsStore, request: IncomingMessage, response: ServerResponse): boolean {
  const { url = '', headers } = request;
  const [, id] = /\.git\/info\/lfs\/objects\/([0-9a-f]{64})$/.exec(url) ?? [];
  if (id !== undefined) {
    response.end(objects.get(id));
    return true;
  }
  if (!url.endsWith('.git/info/lfs/objects/batch')) return false;
  void text(request).then((body) => {
    const { objects: asked } = JSON.parse(body) as { objects: readonly { oid: string; size: number }[] };
    const found = asked.map(({ oid, size }) => ({
      oid,
      size,
      ...(objects.has(oid)
        ? { actions: { download: { href: `http://${headers.host}${url.replace(/batch$/, oid)}` } } }
        : { error: { code: 404, message: 'Object does not exist' } }),
    }));
    response.setHeader('content-type', 'application/vnd.git-lfs+json').end(JSON.stringify({ objects: found }));
  });
  return true;
}
