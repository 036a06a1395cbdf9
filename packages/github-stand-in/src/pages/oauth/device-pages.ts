import type { Router } from 'express';
import { answerDeviceRequest, decideDevice } from '../../auth/device-codes.ts';
import type { World } from '../../world.ts';
import { html } from '../html.ts';
import { act, PageRefusal, show } from '../page-call.ts';

/** Where a program asks for a code, and where a person enters it. */
export function addDevicePages(router: Router, world: World): void {
  router.post('/login/device/code', (request, response) => {
    // The form parser leaves an object of texts, or nothing.
    const fields = (request.body ?? {}) as Readonly<Record<string, string>>;
    const fault = world.faults.meetRequest('POST /login/device/code', '').find(({ kind }) => kind === 'failure');
    if (fault?.kind === 'failure') {
      response.status(fault.status).end();
      return;
    }
    const { status, body } = answerDeviceRequest(world, fields);
    response.status(status).json(body);
  });
  show(router, world, '/login/device', ({ viewer }) => {
    const content = html`<h1>Device activation</h1>
      <p>Enter the code that your device shows, ${viewer}.</p>
      <form method="post" action="/login/device">
        <p><input name="user_code" aria-label="Code" autocomplete="off" required /></p>
        <p>
          <button name="answer" value="authorize">Authorize ${world.app.slug}</button>
          <button name="answer" value="cancel">Cancel</button>
        </p>
      </form>`;
    return { title: 'Device activation', content };
  });
  act(router, world, '/login/device', ({ viewer: login, field }) => {
    const isAgreed = field('answer') === 'authorize';
    if (!decideDevice(world, field('user_code'), isAgreed ? { kind: 'agreed', login } : { kind: 'denied' }))
      throw new PageRefusal(404, 'There is no such code, or it has expired.');
    return isAgreed ? '/login/device/success' : '/login/device/failure';
  });
  show(router, world, '/login/device/success', () => ended('Congratulations, you’re all set!'));
  show(router, world, '/login/device/failure', () => ended('You did not authorize the device.'));
}

function ended(sentence: string) {
  return { title: 'Device activation', content: html`<h1>${sentence}</h1>` };
}
