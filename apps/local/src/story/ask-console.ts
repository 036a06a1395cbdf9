import type { Stack } from '../stack/stack.ts';
import { expected } from './failure.ts';

/** Asks in the console, in the name of the person of this machine. `place` is below the API's path. Returns the request's id. */
export async function askConsole({ urls }: Pick<Stack, 'urls'>, place: string, body: object): Promise<string> {
  const page = await (await fetch(`${urls.console}/hosts`)).text();
  const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const answer = await fetch(`${urls.console}/api/v1/${place}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-csrf-token': csrf },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw expected(`the console to take ${place}`, `${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { readonly id: string }).id; // The API's.
}
