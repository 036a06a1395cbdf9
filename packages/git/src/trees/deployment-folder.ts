/** The folder of one deployment: its working tree and its owner. */
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Repository } from '@nereid/domain/root';
import { removeTree } from '@nereid/subprocess';
import { InvalidNameError } from '../errors.ts';
import { assertId } from '../names.ts';

export interface DeploymentFolder {
  readonly folder: string;
  readonly tree: string;
  readonly ownerFile: string;
}

/** The host that made the tree, the repository, and the id of the tree in that host's mirror. */
export interface Owner {
  readonly hostId: string;
  readonly repository: Repository;
  readonly treeId: string;
  /** The deployment in whose folder the tree is, when it is not its own. */
  readonly treeIn?: string;
  /** The deployment that has its tree here, when it is another one. */
  readonly usedBy?: string;
}

/** Programs that run in a tree may write credentials there. */
const PRIVATE = 0o700;

/** The folder of idle trees is beside those of deployments. */
export const IDLE = 'idle';

export function deploymentFolder(workDir: string, deploymentId: string): DeploymentFolder {
  assertId(deploymentId);
  if (deploymentId === IDLE) throw new InvalidNameError('the id of a deployment', deploymentId);
  const folder = join(workDir, deploymentId);
  return { folder, tree: join(folder, 'repo'), ownerFile: join(folder, 'owner.json') };
}

/** Takes the folder over from any owner; files beside the tree stay. */
export async function claimFolder({ folder, ownerFile }: DeploymentFolder, owner: Owner): Promise<void> {
  await makePrivate(folder);
  await writeFile(ownerFile, `${JSON.stringify(owner, undefined, 2)}\n`, { mode: 0o600 });
}

/** Undefined when the folder has no owner, or when the owner's file cannot be read. */
export async function ownerOf({ ownerFile }: DeploymentFolder): Promise<Owner | undefined> {
  const text = await readFile(ownerFile, 'utf8').catch(() => '');
  try {
    const owner: unknown = JSON.parse(text);
    return isOwner(owner) ? owner : undefined;
  } catch {
    return undefined;
  }
}

export async function removeFolder({ folder }: DeploymentFolder): Promise<void> {
  await removeTree(folder);
}

export async function makePrivate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: PRIVATE });
  await chmod(folder, PRIVATE);
}

function isOwner(value: unknown): value is Owner {
  return typeof value === 'object' && value !== null && 'hostId' in value && 'repository' in value && 'treeId' in value;
}
