import { isTypeScript, type Rule, type SourceFile } from './source-file.ts';

/** A workspace that imports another one names it in its package.json: an image installs only the packages named there. */
export const workspacesAreDeclared: Rule = (files) => {
  const manifests = files.filter(({ path }) => path.endsWith('/package.json'));
  return manifests.flatMap((manifest) => {
    const folder = manifest.path.slice(0, -'package.json'.length);
    const sources = files.filter((file) => file.path.startsWith(folder) && isTypeScript(file));
    const missing = [...new Set(sources.flatMap(importsOf))].filter((name) => !manifest.text.includes(`"${name}"`));
    return missing.map((name) => `${manifest.path}: does not name ${name}, which its sources import`);
  });
};

function importsOf({ text }: SourceFile): readonly string[] {
  return Array.from(text.matchAll(/^(?:import|export|\}) ?[^'\n]*'(@nereid\/[a-z-]+)/gm), ([, name]) => name ?? '');
}
