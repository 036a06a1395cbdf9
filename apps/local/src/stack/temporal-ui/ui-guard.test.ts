import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { freePort } from '@nereid/test-kit';
import { chooseUiPlace, guardUi } from './ui-guard.ts';

let port: number;
let ui: Server;
let guard: AsyncDisposable;

beforeAll(async () => {
  const place = await chooseUiPlace();
  ui = createServer((asked, response) => {
    void text(asked).then((body) => response.end(`${asked.method ?? ''} ${asked.url ?? ''} ${body}`));
  });
  await once(ui.listen(place.port, place.host), 'listening');
  port = await freePort();
  guard = await guardUi(port, place);
});
afterAll(async () => {
  await guard[Symbol.asyncDispose]();
  ui.close();
  ui.closeAllConnections();
});

async function ask(host: string, method = 'GET', body = ''): Promise<readonly [number | undefined, string]> {
  const sent = request({ host: '127.0.0.1', port, path: '/api/v1/namespaces?a=1', method, headers: { host } });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]; // As Node says.
  return [answer.statusCode, await text(answer)];
}

describe("Temporal's UI", () => {
  test.each(['127.0.0.1', 'localhost'])('answers who asks for this machine by its name: %s', async (name) => {
    expect(await ask(`${name}:${port}`)).toEqual([200, 'GET /api/v1/namespaces?a=1 ']);
    expect(await ask(`${name}:${port}`, 'POST', '{}')).toEqual([200, 'POST /api/v1/namespaces?a=1 {}']);
  });

  test.each(['rebound.evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '[::1]', '127.0.0.2'])(
    'answers no page whose own name leads to this machine: %s',
    async (name) => {
      expect(await ask(`${name}:${port}`)).toEqual([421, expect.stringContaining(`http://127.0.0.1:${port}`)]);
    },
  );

  test('answers no request for another port', async () => {
    expect((await ask('127.0.0.1'))[0]).toBe(421);
  });

  test('is somewhere else each time, where the system has more than one address', async () => {
    const [one, other] = [await chooseUiPlace('linux'), await chooseUiPlace('linux')];

    expect(one.host).toMatch(/^127\.\d+\.\d+\.\d+$/);
    expect(one).not.toEqual(other);
    expect((await chooseUiPlace('darwin')).host).toBe('127.0.0.1');
  });
});

test("while Temporal's UI is away, its guard says so", async () => {
  const other = await freePort();
  await using opened = new AsyncDisposableStack();
  opened.use(await guardUi(other, { host: '127.0.0.1', port: await freePort() }));

  expect((await fetch(`http://127.0.0.1:${other}/`)).status).toBe(502);
});
