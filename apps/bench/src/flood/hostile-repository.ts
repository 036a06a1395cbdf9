/** Repositories whose owner wants everybody else to wait. */
import type { Files } from '../deployments/sample-repository.ts';

/** Its plans print. */
export const NOISY = { owner: 'acme', name: 'noisy' } as const;

/** Its files are hard to look through. */
export const VAST = { owner: 'acme', name: 'vast' } as const;

/** Runs before the plan of its root: 100 MB of lines, then a mebibyte that looks like one colour and never ends. */
export const PRINTS_MUCH = `yes 'a line that somebody prints again and again' | head -c 100000000; printf '\\033[%sm\\n' "$(yes '38;' | head -n 349525 | tr -d '\\n')38"`;

export function firstFiles(state: string): Files {
  return { 'noisy/main.tf': `terraform {\n  backend "local" { path = "${state}" }\n}\n` };
}

/** A plan of its root. */
export function changeOfRoot(round: number): Files {
  return { 'noisy/round.tf': `output "round" {\n  value = ${round}\n}\n` };
}

/** 1,900 roots that share a hundred patterns by an alias, 74 KB in all, and one deep path to match them with. */
export function aliasedRoots(round: number): Files {
  const patterns = Array.from({ length: 100 }, (_, index) => `"**/a/**/b${index}/*"`).join(', ');
  const roots = Array.from({ length: 1_900 }, (_, index) => `  - {name: r${index}, dir: d${index}, when_modified: *p}`);
  const [first = '', ...others] = roots;
  const text = `version: 1\nroots:\n${first.replace('*p', `&p [${patterns}]`)}\n${others.join('\n')}\n`;
  return { 'nereid.yaml': text, [`${'a/'.repeat(200)}x.tf`]: `# ${round}\n` };
}

/** Many files to look through. */
export function manyPaths(round: number): Files {
  return Object.fromEntries(
    Array.from({ length: PATHS }, (_, index) => [`many/${index % 100}/${index}.tf`, `# ${round}\n`]),
  );
}

const PATHS = 5_000;
