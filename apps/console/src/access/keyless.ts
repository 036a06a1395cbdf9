import type { Message } from '../platform/http/send-message.ts';

/** The answer to a link without a key where pages open by link; it is the same for every address. */
export const KEYLESS: Message = {
  status: 404,
  title: 'Not found',
  sentence:
    'This link holds no key, so it opens no page: the links of public repositories hold none, unless an operator sets console.log_links: key.',
};
