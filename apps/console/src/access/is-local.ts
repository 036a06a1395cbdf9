import type { Access } from '../config.ts';
import { mayRead } from './may-read.ts';

/** Whether everybody who addresses us like this is on this machine. */
export function isLocal(access: Access, host: string | undefined): boolean {
  return access.kind === 'local' && mayRead(access, { subject: '', key: undefined, host });
}
