/** The settings of a root, each with everything that sets it. */
import type { Explanation, ExplainedSetting, SettingSource } from '@nereid/config/explain';
import type { Screen } from '../output/screen.ts';

export function showExplanation(screen: Screen, explanation: Explanation): void {
  const { repository, root, dir, realDir, declaredAt, settings } = explanation;
  screen.line({ text: `${repository}/${root}`, style: 'bold' });
  const behind = realDir === undefined ? '' : `, a link to ${realDir}`;
  const how = declaredAt === undefined ? 'discovered' : `declared at ${placeText(declaredAt)}`;
  screen.line(`In ${dir}${behind}; ${how}.`);
  screen.line('');
  const width = Math.max(...settings.map(({ key }) => key.length));
  for (const setting of settings) showSetting(screen, setting, width);
}

function showSetting(
  screen: Screen,
  { key, value, isDefault, choice, sources }: ExplainedSetting,
  width: number,
): void {
  const several = sources.length > 1 ? CHOICES[choice] : '';
  screen.line({ text: key.padEnd(width), style: 'bold' }, `  ${textOf(value)}`, {
    text: isDefault ? ' (default)' : several,
    style: 'dim',
  });
  for (const source of sources) screen.line(...sourceLine(source, width));
}

const CHOICES: Readonly<Record<ExplainedSetting['choice'], string>> = {
  first: ' (the first counts)',
  strictest: ' (the strictest counts)',
  together: ' (all rules count)',
};

function sourceLine({ at, match, value, counts, why }: SettingSource, width: number) {
  const place = `${placeText(at)}${match === undefined ? '' : ` (${match})`}`;
  const space = ' '.repeat(width + 2);
  if (counts) return [space, { text: `from ${place}: ${textOf(value)}`, style: 'green' }] as const;
  return [
    space,
    { text: `not ${place}: ${textOf(value)}${why === undefined ? '' : `; ${why}`}`, style: 'dim' },
  ] as const;
}

/** One that an editor opens. */
function placeText({ file = '', path, line, column }: SettingSource['at']): string {
  return line === undefined ? `${file} ${path}` : `${file}:${line}:${column ?? 1}`;
}

function textOf(value: string | readonly string[]): string {
  if (typeof value === 'string') return value;
  return value.length === 0 ? 'none' : value.join(', ');
}
