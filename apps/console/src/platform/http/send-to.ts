import { API_PATH } from '@nereid/api';
import type { Request } from 'express';
import { sendMessage } from './send-message.ts';
import { sendProblem } from './send-problem.ts';

/** Programs get their answers as programs read them. */
export function sendTo({ originalUrl }: Pick<Request, 'originalUrl'>): typeof sendMessage {
  return originalUrl.startsWith(`${API_PATH}/`) ? sendProblem : sendMessage;
}
