/** One root, from files at hand: the server's file, and a check-out of the repository. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { formatProblem, policyFor, readServerConfig, type Problem, type ServerConfig } from '@nereid/config';
import { findInCheckout } from '@nereid/discovery/checkout';
import { findLane } from '../../clone/find-lane.ts';
import type { Call } from '../../call.ts';
import { EXIT, ExitError, wrongUsage } from '../../exit-code.ts';

const SERVER_FILE = 'nereid.server.yaml';

type Found = Extract<Awaited<ReturnType<typeof findInCheckout>>, { readonly kind: 'found' }>;

interface RootAtHand {
  readonly server: Server;
  /** `owner/name`. */
  readonly repository: string;
  readonly found: Found;
}

/** `subject` is its lane, or in a clone its name alone. Throws a sentence where the files have no such root. */
export async function findRootAtHand(call: Call, subject: string): Promise<RootAtHand> {
  const { given, world } = call;
  const checkout = given.option('checkout') ?? '.';
  const folder = resolve(world.folder, checkout);
  const { owner, name, root } = await findLane({ folder, env: world.env }, subject);
  const repository = `${owner}/${name}`;
  const server = await readServer(call, given.option('server') ?? SERVER_FILE);
  const policy = policyFor(server.config, repository);
  if (policy === undefined) throw unknownRepository(server, repository);
  const found = await findInCheckout(folder, policy, root).catch((error: unknown) => {
    const what = foundAt(folder, error);
    throw wrongUsage(`expected a check-out of ${repository}, found ${what}; name its folder with --checkout`);
  });
  if (found.kind === 'problems') throw problemsIn(call, found.file, found.problems);
  if (found.kind === 'unknown') {
    const where = `in the check-out ${checkout}; --checkout names another one`;
    throw new ExitError(EXIT.notFound, `${found.sentence} (${where})`);
  }
  return { server, repository, found };
}

interface Server {
  readonly file: string;
  readonly text: string;
  readonly config: ServerConfig;
}

async function readServer(call: Call, file: string): Promise<Server> {
  const path = resolve(call.world.folder, file);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw wrongUsage(`expected the server's file, found ${foundAt(path, error)}; name it with --server`);
  });
  const read = readServerConfig(text);
  if (read.kind === 'invalid') throw problemsIn(call, file, read.problems);
  return { file, text, config: read.config };
}

function foundAt(path: string, error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return `nothing at ${path}`;
  return error instanceof Error ? error.message : String(error);
}

/** Prints them as `config check` does. */
function problemsIn({ notes }: Call, file: string, problems: readonly Problem[]): ExitError {
  for (const problem of problems) notes.line(formatProblem(problem, file));
  return new ExitError(EXIT.refused, `${file}: ${problems.length === 1 ? '1 problem' : `${problems.length} problems`}`);
}

export function unknownRepository({ file, config }: Server, repository: string): ExitError {
  const known = [...new Set(config.repositories.map(({ match }) => match))].join(', ');
  const why = `expected an entry of ${file} that matches ${repository}, found ${known}; add one, or correct the name`;
  return new ExitError(EXIT.notFound, why);
}
