import { mkdir } from 'node:fs/promises';
import path from 'node:path';

/** Where everything lies that the stack keeps between runs. */
export interface Folders {
  readonly top: string;
  readonly logs: string;
  readonly secrets: string;
  readonly github: string;
  /** Terraform's state of the sample's roots. */
  readonly state: string;
  readonly storage: string;
  readonly data: string;
  /** Of the second worker, where there is one. */
  readonly secondData: string;
  readonly work: string;
}

/** Of Temporal: SQLite, with files beside it whose names begin with this one. */
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
