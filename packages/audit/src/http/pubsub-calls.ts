/** Requests to Pub/Sub's REST API. Google's own client would bring gRPC, and its retries could not be bounded for one event. */
import { createGsCredentials } from '@nereid/storage';
import type { PubsubAddress } from '@nereid/domain/trail/address';
import type { Post } from '@nereid/webhook';
import type { AuditOptions } from '../audit.ts';

const ENDPOINT = 'https://pubsub.googleapis.com';
const SCOPE = 'https://www.googleapis.com/auth/pubsub';

interface PubsubCalls {
  /** A method of the topic, with its body. Throws errors of credentials and of the network. */
  prepare(method: 'publish' | 'testIamPermissions', body: object): Promise<Post>;
  /** The next request asks for another token: Google may know this one no more. */
  forget(): void;
}

export function createPubsubCalls(
  { topic }: PubsubAddress,
  { endpoint = ENDPOINT }: AuditOptions['pubsub'] = {},
): PubsubCalls {
  const credentials = createGsCredentials(SCOPE);
  return {
    prepare: async (method, body) => ({
      url: `${endpoint.replace(/\/+$/, '')}/v1/${topic}:${method}`,
      headers: { ...(await credentials.headers()), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
    forget: () => {
      credentials.forget();
    },
  };
}
