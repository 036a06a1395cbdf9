import path from 'node:path';
import { isFixture, type Rule, type SourceFile } from './source-file.ts';

/** A link to a page that was moved, or to a heading that was renamed, is missed by nobody but its readers. */
export const linksLeadSomewhere: Rule = (files) => {
  const texts = new Map(files.map((file) => [file.path, file.text]));
  const folders = new Set(files.flatMap((file) => foldersOf(file.path)));
  return files
    .filter((file) => file.path.endsWith('.md') && !isFixture(file))
    .flatMap((file) =>
      linksIn(file).flatMap((link) => {
        const [to = '', anchor] = link.split('#');
        const target = to === '' ? file.path : path.posix.join(path.posix.dirname(file.path), to).replace(/\/$/, '');
        const text = texts.get(target);
        if (text === undefined && !folders.has(target))
          return [`${file.path}: links to ${link}, which is no file here`];
        if (anchor === undefined || !target.endsWith('.md') || anchorsIn(text ?? '').has(anchor)) return [];
        return [`${file.path}: links to ${link}, but ${target} has no such heading`];
      }),
    );
};

/** A page that a message, a setting or a comment names, for people who look for it. */
export const namedPagesExist: Rule = (files) => {
  const texts = new Map(files.map((file) => [file.path, file.text]));
  return files
    .filter((file) => !isFixture(file))
    .flatMap(({ path: from, text }) =>
      Array.from(text.matchAll(/\bapps\/docs\/[\w/-]+\.md(?:#([\w-]+))?/g)).flatMap(([named, anchor]) => {
        const page = texts.get(named.split('#')[0] ?? '');
        if (page === undefined) return [`${from}: names ${named}, which is no page`];
        if (anchor === undefined || anchorsIn(page).has(anchor)) return [];
        return [`${from}: names ${named}, which has no such heading`];
      }),
    );
};

/** Those that stay in the repository, but for pictures, which are no text. */
function linksIn({ text }: SourceFile): readonly string[] {
  const links = Array.from(text.matchAll(/\]\(([^\s()]+)\)/g), ([, link = '']) => link);
  return links.filter((link) => !/^(https?:|mailto:)|\.png$/.test(link));
}

/** Of its headings, as GitHub makes them, and those that are written as `<a id="…">`. */
function anchorsIn(text: string): ReadonlySet<string> {
  const headings = Array.from(text.matchAll(/^#+ (.+)$/gm), ([, heading = '']) => anchorOf(heading));
  const ids = Array.from(text.matchAll(/<a id="([^"]+)">/g), ([, id = '']) => id);
  return new Set([...headings, ...ids]);
}

function anchorOf(heading: string): string {
  return heading
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

function foldersOf(file: string): readonly string[] {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
}
