/** The pages that a person sees on the way to the App. Nothing but us is in them that is not escaped. Pure. */
import { createHash } from 'node:crypto';

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem;color:#1f2328;background:#fff}
button{font:inherit;padding:.5rem 1rem;border:0;border-radius:6px;color:#fff;background:#1a7f37;cursor:pointer}
code{background:#eff1f3;padding:.1rem .3rem;border-radius:4px}
@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}code{background:#21262d}a{color:#58a6ff}}`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Of every answer. `formsTo` is the origin to which forms may lead. */
export function headersOf(formsTo: string): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; form-action ${formsTo}; base-uri 'none'; frame-ancestors 'none'`,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}

export interface AskPage {
  /** Where the form goes, with the state. */
  readonly action: string;
  readonly manifest: object;
  readonly host: string;
  readonly permissions: readonly string[];
}

export function askPage({ action, manifest, host, permissions }: AskPage): string {
  const items = permissions.map((each) => `<li><code>${escaped(each)}</code></li>`).join('');
  return page(
    'Make the GitHub App',
    `<p>${escaped(host)} shows you the App before it makes it, and lets you name it. Log in there first: the way through a login loses
this form.</p>
<p>The App gets these permissions, and no others:</p><ul>${items}</ul>
<form method="post" action="${escaped(action)}">
<input type="hidden" name="manifest" value="${escaped(JSON.stringify(manifest))}">
<button>Go on to ${escaped(host)}</button>
</form>`,
  );
}

/** `installUrl` is on GitHub. */
export function madePage(installUrl: string): string {
  return page(
    'The App is there',
    `<p>Its keys are kept. Now <a href="${escaped(installUrl)}">install it</a> on your repositories, and go on in the terminal.</p>`,
  );
}

export function sentencePage(title: string, sentence: string): string {
  return page(title, `<p>${escaped(sentence)}</p>`);
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Nereid</title><link rel="icon" href="data:,"><style>${STYLE}</style></head>
<body><main><h1>${escaped(title)}</h1>
${content}
</main></body></html>
`;
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
