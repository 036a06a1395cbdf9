/**
 * What planning wrote into Terraform's folder `.terraform`: providers such as `archive` write there, and code of a module, whose
 * folder is below it when it was downloaded, beside its own files. An apply needs it, and an init elsewhere makes the rest again.
 */
import { lstat, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { hasErrorCode } from '@nereid/subprocess';

const MADE_BY_INIT: ReadonlySet<string> = new Set(['providers', 'terraform.tfstate', 'environment', 'modules']);

/** The files and links, as paths from `dataDir`. There are none behind a link, which code of the root may have put in its place. */
export async function madeInDataDir(dataDir: string): Promise<readonly string[]> {
  if ((await realpath(dataDir).catch(ifAbsent(undefined))) !== dataDir) return [];
  const top = await namesIn(dataDir);
  const made = await Promise.all(top.filter((name) => !MADE_BY_INIT.has(name)).map((name) => filesIn(dataDir, name)));
  return [...made.flat(), ...(await madeInModules(dataDir))];
}

/** An init writes this when all modules are there. */
const MANIFEST = path.join('modules', 'modules.json');

/** Changed since the init: the system's time of change, which no program can choose. */
async function madeInModules(dataDir: string): Promise<readonly string[]> {
  const installed = await changeOf(path.join(dataDir, MANIFEST));
  if (installed === undefined) return [];
  const files = await filesIn(dataDir, 'modules');
  const changes = await Promise.all(files.map((file) => changeOf(path.join(dataDir, file))));
  return files.filter((file, index) => file !== MANIFEST && (changes[index] ?? 0) >= installed);
}

async function filesIn(dataDir: string, name: string): Promise<readonly string[]> {
  const at = path.join(dataDir, name);
  const found = await lstat(at);
  if (!found.isDirectory()) return [name];
  const entries = await readdir(at, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  return files.map((entry) => path.relative(dataDir, path.join(entry.parentPath, entry.name)));
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(ifAbsent([]));
}

async function changeOf(file: string): Promise<number | undefined> {
  return lstat(file).then(({ ctimeMs }) => ctimeMs, ifAbsent(undefined));
}

function ifAbsent<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (hasErrorCode(error, 'ENOENT') || hasErrorCode(error, 'ENOTDIR')) return value;
    throw error;
  };
}
