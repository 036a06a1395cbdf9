/** What a guide has people type or write, by the heading under which it stands. */
import { readRepositoryFile } from '../../repository.ts';

/** The first block of that language. Throws where there is none. */
export async function blockOf(guide: string, heading: string, language: 'sh' | 'yaml'): Promise<string> {
  const sections = (await readRepositoryFile(guide)).split(/^## /m);
  const section = sections.find((each) => each.startsWith(`${heading}\n`)) ?? '';
  const [, , block] = new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^\\1\`\`\`$`, 'm').exec(section) ?? [];
  if (block === undefined) throw new Error(`expected a block of ${language} below ${heading} in ${guide}, found none`);
  return block;
}
