/** What the console's own checks find, for operators; nobody else learns where storage or Temporal are. */
import { API_PATH, type Diagnosis } from '@nereid/api';
import { Router, type Request, type Response } from 'express';
import { readingOf } from '../access/reading.ts';
import { sendRefusal } from '../access/send-refusal.ts';
import { sightOf } from '../access/sight.ts';
import type { Context } from '../context.ts';
import { NO_PAGE } from '../html/lists.ts';
import { sendMessage, type Message } from '../html/send-message.ts';
import { sendProblem } from '../html/send-problem.ts';
import { sitePage } from '../html/site.ts';
import { whoLooks } from '../login/who-looks.ts';
import { doctorBody } from './page.ts';

export function doctorRoutes(context: Context): Router {
  const router = Router({ strict: true });

  async function answer(
    request: Request,
    response: Response,
    send: {
      readonly found: (diagnosis: Diagnosis) => unknown;
      readonly not: (response: Response, message: Message) => void;
    },
  ): Promise<void> {
    const reading = await readingOf(context, request);
    if (reading.kind === 'refused') sendRefusal(request, response, reading);
    else if (sightOf(context, reading.reader).mayAskDoctor()) await send.found(await context.askDoctor());
    else send.not(response, NO_PAGE);
  }

  router.get(`${API_PATH}/doctor`, (request, response) =>
    answer(request, response, { found: (diagnosis) => response.json(diagnosis), not: sendProblem }),
  );
  router.get('/doctor', (request, response) =>
    answer(request, response, {
      found: async (diagnosis) => {
        const who = await whoLooks(context, request);
        response.send(sitePage('hosts', doctorBody(diagnosis), { title: 'Doctor', who }).markup);
      },
      not: sendMessage,
    }),
  );
  return router;
}
