/** CHANGELOG.md: a section for each release, the newest first. */
import type { Bump, Change } from './changes.ts';

export const CHANGELOG = 'CHANGELOG.md';

const HEAD = `# Changelog

The changes in each release that users notice. [Releases](apps/docs/operate/releases.md) says what a version number promises.
`;

/** In this order. */
const TITLES: Readonly<Record<Bump, string>> = { major: 'Breaks', minor: 'Adds and changes', patch: 'Mends' };

/** More changes of a version that has a section already go to its end, until it is tagged. */
export function withChanges(changelog: string, version: string, changes: readonly Change[]): string {
  const sections = sectionsOf(changelog);
  const items = { ...sections.get(version) };
  for (const [bump, title] of Object.entries(TITLES)) {
    const more = changes.filter((change) => change.bump === bump).map(({ summary }) => itemOf(summary));
    if (more.length > 0) items[title] = [...(items[title] ?? []), ...more];
  }
  const others = [...sections].filter(([name]) => name !== version);
  return [HEAD, ...[[version, items] as const, ...others].map(([name, section]) => textOf(name, section))].join('\n');
}

/** The text on the page of a release; undefined where the changelog has no such version. */
export function notesOf(changelog: string, version: string): string | undefined {
  const section = sectionsOf(changelog).get(version);
  return section && textOf(version, section).replace(/^## .*\n+/, '');
}

/** By its title, the items as they stand. */
type Section = Readonly<Record<string, readonly string[]>>;

function sectionsOf(changelog: string): ReadonlyMap<string, Section> {
  const parts = changelog.split(/^## /m).slice(1);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')).trim(), itemsOf(part)]));
}

function itemsOf(part: string): Section {
  const titled = part.split(/^### /m).slice(1);
  return Object.fromEntries(
    titled.map((text) => {
      const [title = '', ...lines] = text.split('\n');
      const items = lines.join('\n').split(/^(?=- )/m);
      return [title.trim(), items.map((item) => item.trim()).filter((item) => item !== '')];
    }),
  );
}

function textOf(version: string, section: Section): string {
  const titles = Object.values(TITLES).filter((title) => section[title] !== undefined);
  return `## ${version}\n\n${titles.map((title) => `### ${title}\n\n${(section[title] ?? []).join('\n')}\n`).join('\n')}`;
}

/** Further lines stand below the first one. */
function itemOf(summary: string): string {
  return `- ${summary.trim().replaceAll('\n', '\n  ')}`;
}
