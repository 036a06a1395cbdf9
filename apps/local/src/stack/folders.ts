import { mkdir } from 'node:fs/promises';
import path from 'node:path';

/** The folders of everything that the stack keeps between runs. */
export interface Folders {
  readonly top: string;
  readonly logs: string;
  readonly secrets: string;
  readonly github: string;
  /** What roots may write outside of their trees, such as their state. */
  readonly state: string;
  readonly storage: string;
  readonly data: string;
  /** The data of the second worker, if there is one. */
  readonly secondData: string;
  readonly work: string;
}

/** Temporal's SQLite database. The names of SQLite's files beside it begin with the same name. */
export function databaseFileOf({ top }: Pick<Folders, 'top'>): string {
  return path.join(top, 'temporal.db');
}

/** Makes the folders, readable by nobody else. */
export async function makeFolders(top: string): Promise<Folders> {
  const make = async (name: string) => {
    const folder = path.join(top, name);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  };
  return {
    top,
    logs: await make('logs'),
    secrets: await make('secrets'),
    github: await make('github'),
    state: await make('state'),
    storage: await make('storage'),
    data: await make('data'),
    secondData: await make('data-2'),
    work: await make('work'),
  };
}
