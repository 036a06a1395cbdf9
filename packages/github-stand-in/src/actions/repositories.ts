import { ImpossibleError } from '../errors.ts';
import { createBareRepository } from '../git/bare-repository.ts';
import { writeCommit, type FileChanges } from '../git/write-commit.ts';
import { ensureAccount, signatureOf } from '../state/accounts.ts';
import { findRepository } from '../state/find.ts';
import type { Installation, Repository, Role } from '../state/model.ts';
import { now, timestamp } from '../state/store.ts';
import { directoryOf, type World } from '../world.ts';

export interface NewRepository {
  readonly owner: string;
  readonly name: string;
  /** Text by path; the repository's first commit. */
  readonly files: FileChanges;
  /** By login. */
  readonly collaborators: Readonly<Record<string, Role>>;
  /** `main` unless given. */
  readonly defaultBranch?: string;
  /** Default true: nobody clones a private repository without a token. */
  readonly private?: boolean;
  /** ISO 8601; now unless given. */
  readonly createdAt?: string;
}

/**
 * Creates a repository with one commit, in which the App is installed.
 *
 * No webhook is sent, as if the App had been installed afterwards: the first commit is not deployed.
 */
export async function createRepository(world: World, input: NewRepository): Promise<Repository> {
  for (const name of [input.owner, input.name]) {
    if (!/^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/.test(name)) throw new ImpossibleError(`"${name}" is not a GitHub name`);
  }
  if (findRepository(world.store, input.owner, input.name)) {
    throw new ImpossibleError(`${input.owner}/${input.name} exists already`);
  }
  const repository = register(world, input);
  const directory = directoryOf(world, repository);
  await createBareRepository(directory, repository.defaultBranch);
  const author = signatureOf(world.store, Object.keys(input.collaborators)[0] ?? input.owner);
  const message = 'Initial commit';
  await writeCommit(directory, {
    ref: `refs/heads/${repository.defaultBranch}`,
    parent: undefined,
    files: input.files,
    message,
    author,
    ...(input.createdAt !== undefined && { at: input.createdAt }),
  });
  world.store.state.repositories.push(repository);
  world.store.changed();
  return repository;
}

/** Uninstalls the App and installs it again. No webhook is sent: nobody needs one. */
export function reinstallApp(world: World, account: string): Installation {
  const { state } = world.store;
  const old = state.installations.find((each) => each.account === account);
  if (!old) throw new ImpossibleError(`the App is not installed on ${account}`);
  state.installations = state.installations.filter((each) => each !== old);
  state.tokens = state.tokens.filter(
    ({ holder }) => holder.kind !== 'installation' || holder.installationId !== old.id,
  );
  const anew = install(world, account, now());
  for (const each of state.repositories) if (each.installationId === old.id) each.installationId = anew.id;
  world.store.changed();
  return anew;
}

/** The repository with this `owner/name`. */
export function requireRepository(world: World, fullName: string): Repository {
  const [owner = '', name = ''] = fullName.split('/');
  const repository = findRepository(world.store, owner, name);
  if (!repository) throw new ImpossibleError(`there is no repository ${fullName}`);
  return repository;
}

function register(world: World, input: NewRepository): Repository {
  const people = Object.keys(input.collaborators);
  const ownerIsPerson = people.includes(input.owner);
  ensureAccount(world.store, input.owner, ownerIsPerson ? 'User' : 'Organization');
  for (const login of people) ensureAccount(world.store, login);
  const createdAt = input.createdAt === undefined ? now() : timestamp(Date.parse(input.createdAt));
  return {
    id: world.store.newId(),
    owner: input.owner,
    name: input.name,
    private: input.private ?? true,
    defaultBranch: input.defaultBranch ?? 'main',
    installationId: install(world, input.owner, createdAt).id,
    createdAt,
    pushedAt: createdAt,
    nextNumber: 1,
    collaborators: { ...input.collaborators },
  };
}

/** The installation of this account, made if there is none. */
export function install(world: World, account: string, createdAt: string): Installation {
  const { installations } = world.store.state;
  const known = installations.find((each) => each.account === account);
  if (known) return known;
  const installation = { id: world.store.newId(), account, createdAt };
  installations.push(installation);
  return installation;
}
