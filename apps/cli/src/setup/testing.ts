/** A GitHub to set up against, and a person with a browser. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from '@jest/globals';
import { makeAppKey, startGitHub, type GitHubStandIn } from '@nereid/github-stand-in';
import { nereidInside, type Ended, type MadeUp } from '../testing/run.ts';

const endings: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
});

/** Removed after the test. */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'set-up-'));
  endings.push(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Of the App that the stand-in has from the beginning. */
export const { privateKey: APP_KEY } = makeAppKey();
export const APP_ID = 4_711;

export async function aGitHub(): Promise<GitHubStandIn> {
  const github = await startGitHub({
    dataDir: aFolder(),
    app: { id: APP_ID, slug: 'nereid', key: APP_KEY },
    webhook: { url: 'http://127.0.0.1:1', secret: 'nobody listens' },
    checkAnswers: true,
  });
  endings.push(() => github.close());
  return github;
}

/** Everything that has to be known, by options. */
export function answersAt(github: { readonly url: string }): readonly string[] {
  return [
    ...['--github-url', github.url, '--organization', 'acme'],
    ...['--gateway-url', 'https://webhooks.example.org', '--console-url', 'https://nereid.example.org'],
  ];
}

/** Runs `nereid setup`; once it shows the address of its page, `visit` gets it. Rejects when the visit fails. */
export async function setUpWith(
  args: readonly string[],
  visit: (address: string) => Promise<unknown>,
  madeUp: MadeUp = {},
): Promise<Ended> {
  let visited: Promise<unknown> = Promise.resolve();
  const onLine = (line: string) => {
    const address = /^ {2}(http:\S+)\n$/.exec(line)?.[1];
    if (address !== undefined) visited = visit(address);
  };
  const ended = await nereidInside(['setup', ...args], { ...madeUp, onLine });
  await visited;
  return ended;
}

export interface Form {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** The person opens the page, goes on to GitHub, and agrees. Returns the address at which they come back. */
export async function agree(address: string): Promise<string> {
  const ask = formIn(await (await fetch(address)).text(), address);
  const offer = await send(ask);
  if (offer.status !== 200) throw new Error(await offer.text());
  const answer = await send(formIn(await offer.text(), ask.action));
  const back = answer.headers.get('location');
  if (back === null) throw new Error(`expected GitHub to lead back, found ${await answer.text()}`);
  return back;
}

/** The whole way, up to the last page. */
export async function makeApp(address: string): Promise<string> {
  const response = await fetch(await agree(address));
  return response.text();
}

function send({ action, fields }: Form): Promise<Response> {
  return fetch(action, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
}

export function formIn(page: string, address: string): Form {
  const form = /<form method="post" action="(?<action>[^"]*)">\s*<input type="hidden"[\s\S]*?<\/form>/.exec(page);
  const [text = '', action = ''] = form ?? [];
  const inputs = Array.from(text.matchAll(/<input[^>]*>/g), ([input]) => {
    const [name = '', value = ''] = ['name', 'value'].map(
      (each) => new RegExp(` ${each}="([^"]*)"`).exec(input)?.[1] ?? '',
    );
    return [name, unescaped(value)] as const;
  });
  return { action: new URL(unescaped(action), address).href, fields: Object.fromEntries(inputs) };
}

function unescaped(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

/** All files of a folder, by name. */
export function filesIn(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
