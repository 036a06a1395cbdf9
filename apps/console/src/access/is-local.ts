import type { Access } from '../config.ts';
import type { Message } from '../html/send-message.ts';
import { mayRead } from './may-read.ts';

/** Whether everybody who addresses us like this may see what no link opens: lists of everything. */
export function isLocal(access: Access, host: string | undefined): boolean {
  return access.kind === 'local' && mayRead(access, { subject: '', key: undefined, host });
}

/** The same for every page that only people on the machine of the console may see. */
export const NOT_LOCAL: Message = {
  status: 404,
  title: 'Not found',
  sentence: 'There is no such page here. Lists of everything are shown to people who are logged in.',
};
