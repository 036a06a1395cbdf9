import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { aNotification } from '../fixtures/a-notification.ts';
import { openStage, type Stage } from '../fixtures/send-to.ts';
import { openDestination } from '../open-destination.ts';

const PASSWORD = 'a-password';

let stage: Stage;
let mails: string[];
let servers: { close(): unknown }[];

beforeEach(async () => {
  stage = await openStage(PASSWORD);
  [mails, servers] = [[], []];
});

afterEach(async () => {
  for (const server of servers) server.close();
  await stage.close();
});

/** A real server, which takes a person and any mail. */
async function aServer(options: Partial<SMTPServerOptions> = {}): Promise<number> {
  const server = new SMTPServer({
    hideSTARTTLS: true,
    onAuth: ({ username, password }, _session, done) => {
      if (username === 'nereid' && password === PASSWORD) done(null, { user: username });
      else done(Object.assign(new Error('no'), { responseCode: 535 }));
    },
    onData: (stream, _session, done) => {
      void text(stream).then((mail) => {
        mails.push(mail);
        done();
      });
    },
    ...options,
  });
  // A client that goes away in the middle.
  server.on('error', () => undefined);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return (server.server.address() as AddressInfo).port; // Of TCP.
}

function send(
  port: number,
  changes: Parameters<typeof aNotification>[0] = {},
  { to = ['ops@example.org'], ...more }: { readonly answerMs?: number; readonly to?: readonly string[] } = {},
) {
  const { secretFile } = stage;
  const url = `smtp://nereid@127.0.0.1:${port}`;
  const target = { kind: 'email', url, from: 'nereid@example.org', to, secretFile } as const;
  return stage.send(target, aNotification(changes), more);
}

test('a notification is a message of plain text with its links', async () => {
  expect(await send(await aServer())).toEqual({ kind: 'delivered' });

  const [mail = ''] = mails;
  expect(mail).toMatch(/^From: nereid@example.org\r?$/m);
  expect(mail).toMatch(/^To: ops@example.org\r?$/m);
  expect(mail).toMatch(/^Subject: acme\/infra: network failed\r?$/m);
  expect(mail).toMatch(/^Content-Type: text\/plain/m);
  expect(mail).toContain('The apply failed: exit code 1');
  expect(mail).toContain('https://nereid.example.org/deployments/d1');
  expect(mail).not.toContain(PASSWORD);
});

test('a message has the same id each time, and those about one revision refer to the same', async () => {
  const port = await aServer();
  await send(port);
  await send(port);
  await send(port, { id: 'd2', root: { name: 'app', directory: 'app' } });

  const [first, second, third] = mails.map((mail) => /^Message-ID: (.*)$/im.exec(mail)?.[1]);
  expect(first).toBe(second);
  expect(third).not.toBe(first);
  expect(new Set(mails.map((mail) => /^References: (.*)$/im.exec(mail)?.[1])).size).toBe(1);
});

test('a digest is one message about all of them, with what is most urgent in its subject', async () => {
  const url = `smtp://nereid@127.0.0.1:${await aServer()}`;
  const target = {
    kind: 'email',
    url,
    from: 'n@example.org',
    to: ['o@example.org'],
    secretFile: stage.secretFile,
  } as const;
  const waits = (name: string) => aNotification({ type: 'waits-for-person', root: { name, directory: name } });
  const many = Array.from({ length: 101 }, (_none, n) => waits(`root-${n}`));

  const sender = openDestination({ target });
  const answer = await sender.sendDigest?.({ id: 'digest:1', notifications: [aNotification(), ...many] });

  expect(answer).toEqual({ kind: 'delivered' });
  const [mail = ''] = mails;
  expect(mail).toMatch(/^Subject: Nereid: 1 failed, 101 wait for a review\r?$/m);
  expect(mail).toContain('acme/infra: network failed');
  expect(mail).toContain('root-98 waits for a review');
  expect(mail).not.toContain('root-99 waits');
  expect(mail).toContain('And 2 more, which the console shows.');
});

test('a text from a repository cannot make headers', async () => {
  await send(await aServer(), {
    repository: 'acme/infra\r\nBcc: evil@example.org',
    sentence: 'a\r\nBcc: evil@example.org',
  });

  expect(mails[0]).not.toMatch(/^Bcc:/im);
});

test.each([
  ['a mailbox that does not exist', 550, { kind: 'refused', reason: 'answered 550' }],
  ['a server that is busy', 451, { kind: 'later', reason: 'answered 451' }],
])('%s', async (_what, responseCode, expected) => {
  const port = await aServer({
    onRcptTo: (_address, _session, done) => {
      done(Object.assign(new Error('a text of the server'), { responseCode }));
    },
  });

  expect(await send(port)).toEqual(expected);
});

test('a server that refuses one of several recipients has not delivered it', async () => {
  const port = await aServer({
    onRcptTo: ({ address }, _session, done) => {
      done(address === 'away@example.org' ? Object.assign(new Error('later'), { responseCode: 451 }) : null);
    },
  });

  const answer = await send(port, {}, { to: ['ops@example.org', 'away@example.org'] });

  expect(answer).toEqual({ kind: 'refused', reason: 'refused for 1 of 2 recipients' });
  expect(mails).toHaveLength(1);
});

test('a wrong password is refused, and said nowhere', async () => {
  await writeFile(stage.secretFile, 'another');

  expect(await send(await aServer())).toEqual({ kind: 'refused', reason: 'answered 535' });
});

test.each([
  ['never', () => undefined],
  [
    'a byte now and then',
    (server: Server) =>
      server.on('connection', (socket) => {
        const timer = setInterval(() => socket.write('2'), 50);
        socket.on('close', () => {
          clearInterval(timer);
        });
        socket.on('error', () => undefined);
      }),
  ],
])('a server that says %s is tried again', async (_how, behave) => {
  const server = createServer().listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  behave(server);

  const { port } = server.address() as AddressInfo; // Of TCP.
  expect(await send(port, {}, { answerMs: 300 })).toMatchObject({ kind: 'later' });
});
