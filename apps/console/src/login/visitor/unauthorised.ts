import type { Message } from '../../platform/http/send-message.ts';

/** The answer to those of whom nobody knows who they are. `why` is a clause. */
export function unauthorised(why: string): Message {
  return { status: 401, title: 'Log in', sentence: `Nobody knows who you are: ${why}.` };
}

export const ANONYMOUS: Message = unauthorised('log in, or send a token as "Authorization: Bearer"');
