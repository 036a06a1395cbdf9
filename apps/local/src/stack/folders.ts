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
  readonly work: string;
}

/** Makes the folders, readable by nobody else. */
export async function makeFolders(top: string): Promise<Folders> {
  const folders: Folders = {
    top,
    logs: path.join(top, 'logs'),
    secrets: path.join(top, 'secrets'),
    github: path.join(top, 'github'),
    state: path.join(top, 'state'),
    storage: path.join(top, 'storage'),
    data: path.join(top, 'data'),
    work: path.join(top, 'work'),
  };
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true, mode: 0o700 });
  return folders;
}
