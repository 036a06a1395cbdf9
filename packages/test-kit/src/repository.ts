import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The folder of the repository. */
export const REPOSITORY = path.resolve(import.meta.dirname, '../../..');

export const readRepositoryFile = (file: string): Promise<string> => readFile(path.join(REPOSITORY, file), 'utf8');
