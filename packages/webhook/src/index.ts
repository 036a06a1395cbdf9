/** Requests to receivers outside: the file of their secret, signatures, and one bounded attempt to send or to ask that believes nothing. */
export { reasonOf, SecretFileError } from './errors.ts';
export { BODY_LIMIT_BYTES } from './beginning-of.ts';
export { getOnce, type Get, type GetAnswer } from './get-once.ts';
export { inTime } from './in-time.ts';
export { postOnce, type Post, type PostAnswer } from './post-once.ts';
export { readKey, readWebhookSecrets } from './secret-file.ts';
export { idFor, signedHeaders } from './signed-headers.ts';
