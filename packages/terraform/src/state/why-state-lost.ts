/**
 * A working tree goes away with its deployment, and another host has another disk. A root whose state goes with one of them would be
 * made again by each of its deployments, so it is refused before its plan.
 */
import path from 'node:path';
import type { Failure } from '@nereid/domain/host';
import { cut, refusal } from '../failure/failure.ts';
import { readBackend, type Backend } from './backend.ts';

export interface StatePlace {
  /** The top of the working tree, absolute. */
  readonly treeDir: string;
  readonly rootDir: string;
  /** That of the root's commands. */
  readonly dataDir: string;
  readonly workspace: string;
  /** Absolute paths of folders that all hosts share. */
  readonly sharedState: readonly string[];
}

/** Another job, and another host, begin without what an init left outside of the tree. */
export function whyDataDirRefused({
  treeDir,
  rootDir,
  dataDir,
}: Pick<StatePlace, 'treeDir' | 'rootDir' | 'dataDir'>): Failure | undefined {
  if (isIn(dataDir, rootDir))
    return refusal(
      'TF_DATA_DIR names the directory of the root, or one above it: its files are not those of Terraform',
      ['Name a folder of its own by its path from the directory of the root, such as .terraform-prod.'],
    );
  if (isIn(treeDir, dataDir)) return undefined;
  return refusal('TF_DATA_DIR names a folder outside of the working tree, which an apply would not find', [
    'Name a folder by its path from the directory of the root, such as .terraform-prod.',
  ]);
}

/** Undefined when the state outlives the working tree, and every host finds it. */
export async function whyStateLost(place: StatePlace): Promise<Failure | undefined> {
  const { treeDir, dataDir } = place;
  const backend = await readBackend(dataDir, treeDir);
  if (backend === undefined)
    return refusal('this root has no backend: its state would be lost with the working tree', ADD_BACKEND);
  if (backend.type === 'inmem')
    return refusal(
      'the backend "inmem" of this root keeps nothing: its state would be lost with each command',
      ADD_BACKEND,
    );
  return backend.type === 'local' ? whyFileLost(backend, place) : undefined;
}

function whyFileLost(backend: Backend, { treeDir, rootDir, workspace, sharedState }: StatePlace): Failure | undefined {
  const [setting, otherwise] =
    workspace === 'default'
      ? (['path', 'terraform.tfstate'] as const)
      : (['workspace_dir', 'terraform.tfstate.d'] as const);
  const given = backend.config?.[setting];
  const named = typeof given === 'string' && given !== '' ? given : otherwise;
  const found = `the backend "local" of this root has the ${setting} ${JSON.stringify(cut(named, SHOWN_LENGTH))}`;
  const file = path.resolve(rootDir, named);
  if (isIn(treeDir, file))
    return refusal(`${found}, in the working tree: its state would be lost with that`, ADD_BACKEND);
  if (sharedState.some((folder) => isIn(folder, file))) return undefined;
  return refusal(`${found}, which no host is known to share: another one would begin with an empty state`, [
    ...ADD_BACKEND,
    `Or, if all hosts of this root have the same folder there, have it named in the server's file, under terraform.shared_state.`,
  ]);
}

/** A failure's summary has 200 characters, and the sentence needs half of them. */
const SHOWN_LENGTH = 60;

const ADD_BACKEND = [
  'Add a backend that every host reaches, such as "s3", "gcs", "azurerm" or "http", to a terraform block of the root.',
  'A state that there is already moves into it by `terraform init -migrate-state`, where that state is.',
];

function isIn(folder: string, place: string): boolean {
  return place === folder || place.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}
