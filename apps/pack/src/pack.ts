/** Makes the package: compiles its files into a folder, and lets npm pack that. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { compile, withCompiledNames } from './compile.ts';
import { asText, manifestOf, manifestWithin } from './manifest.ts';
import { DEMO, packageFiles, type PackageFile } from './package-files.ts';
import { readRepository } from './repository.ts';

export interface Packing {
  /** The folder of the repository. */
  readonly top: string;
  /** The folder that gets the package; it is made if need be. */
  readonly folder: string;
}

/** Returns the path of `nereid-<version>.tgz`. */
export async function pack({ top, folder }: Packing): Promise<string> {
  const repository = await readRepository(top);
  const staging = await mkdtemp(path.join(tmpdir(), 'nereid-pack-'));
  try {
    const demo = createHash('sha256');
    for (const file of packageFiles(repository)) {
      const content = await contentOf(file, top);
      await write(path.join(staging, file.name), content);
      if (file.name.startsWith(DEMO)) demo.update(file.name).update(content);
    }
    // Another demo gets another folder in the cache. Twelve digits tell the few versions on one machine apart.
    await write(path.join(staging, DEMO, 'digest'), demo.digest('hex').slice(0, 12));
    await write(path.join(staging, 'package.json'), asText(manifestOf(repository)));
    await mkdir(folder, { recursive: true });
    const args = ['pack', '--ignore-scripts', '--pack-destination', staging];
    await promisify(execFile)('npm', args, { cwd: staging });
    const name = `nereid-${repository.version}.tgz`;
    await copyFile(path.join(staging, name), path.join(folder, name));
    return path.join(folder, name);
  } finally {
    await rm(staging, { recursive: true });
  }
}

/** A file as it is in the package. */
export async function contentOf({ source, name }: PackageFile, top: string): Promise<string | Buffer> {
  const bytes = await readFile(path.join(top, source));
  if (source.endsWith('.ts')) return compile(bytes.toString());
  if (source.endsWith('.js')) return withCompiledNames(bytes.toString());
  if (!source.endsWith('/package.json')) return bytes;
  return name.startsWith(DEMO) ? withCompiledNames(bytes.toString()) : manifestWithin(bytes.toString());
}

async function write(file: string, content: string | Buffer): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  // A program begins with the name of what runs it.
  const mode = content.toString().startsWith('#!') ? 0o755 : 0o644;
  await writeFile(file, content, { mode });
}
