import type { ChangedFile } from '../git/changed-files.ts';
import { html, type Html } from './html.ts';

/** More files make a page that nobody reads and that slows down a browser. */
const SHOWN_FILES = 100;

export function diffOf(files: readonly ChangedFile[]): Html {
  return html`<h2>${files.length} changed ${files.length === 1 ? 'file' : 'files'}</h2>
    ${files.slice(0, SHOWN_FILES).map(fileBox)}
    ${files.length > SHOWN_FILES ? html`<p class="muted">${files.length - SHOWN_FILES} more are not shown.</p>` : undefined}`;
}

function fileBox(file: ChangedFile): Html {
  const name = file.previousPath === undefined ? file.path : `${file.previousPath} → ${file.path}`;
  return html`<div class="box">
    <div class="row head">
      <code class="grow">${name}</code>
      <span class="success">+${file.additions}</span> <span class="failure">−${file.deletions}</span>
    </div>
    <div class="body diff">${file.patch === undefined ? 'Not shown' : file.patch.split('\n').map(line)}</div>
  </div>`;
}

function line(text: string): Html {
  return html`<div class="${STYLES[text[0] ?? ''] ?? ''}">${text === '' ? ' ' : text}</div>`;
}

const STYLES: Readonly<Record<string, string>> = { '+': 'plus', '-': 'minus', '@': 'hunk' };
