import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { configurationNames, parseJson, type Distribution, type JsonValue } from '@nereid/hcl';

/** Hand-written files have kilobytes. Larger files are generated and hold no settings; reading them all would cost time. */
const FILE_LIMIT_BYTES = 1024 * 1024;

export interface ConfigurationFile {
  readonly text: string;
  readonly isJson: boolean;
}

/** The files of a root that its program loads, by name. */
export async function readConfigurationFiles(
  rootDir: string,
  distribution: Distribution,
): Promise<readonly ConfigurationFile[]> {
  const files = configurationNames(await readdir(rootDir), distribution).toSorted();
  return (await Promise.all(files.map((name) => readFrom(path.join(rootDir, name))))).flat();
}

async function readFrom(file: string): Promise<readonly ConfigurationFile[]> {
  const found = await stat(file);
  // A link may lead to a device or a file of /proc, which has no size and no end.
  if (!found.isFile() || found.size === 0 || found.size > FILE_LIMIT_BYTES) return [];
  return [{ text: await readFile(file, 'utf8'), isJson: file.endsWith('.json') }];
}

/** The blocks `terraform` at the top level; none of a text that is not JSON: Terraform tells the author the line and the column. */
export function terraformBlocksOfJson(text: string): readonly JsonValue[] {
  try {
    return valuesOf(parseJson(text), 'terraform').flat();
  } catch {
    return [];
  }
}

/** All values of a key, which an object may have several times, in the body of a block: an object, or a list of them. */
export function valuesOf(body: JsonValue, key: string): readonly JsonValue[] {
  return [body].flat().flatMap((part) => {
    const members = typeof part === 'object' && part !== null && 'members' in part ? part.members : [];
    return members.filter(([name]) => name === key).map(([, value]) => value);
  });
}
