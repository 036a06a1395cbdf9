/** What docker compose needs besides files: to find its environment, and containers that can read their secrets. */
import { existsSync, lchownSync, lstatSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Call } from '../../call.ts';
import { errorFields } from '../../error-fields.ts';
import { EXIT, ExitError } from '../../exit-code.ts';
import { CONTAINER_FILES, ENVIRONMENT_FILE } from './compose-files.ts';
import { readText } from '../kept/read-json.ts';

/** Returns the variable that docker compose needs where it does not find the environment by itself, as in a clone. */
export function linkEnvironment({ world, screen }: Call, folder: string): string | undefined {
  const environment = join(folder, ENVIRONMENT_FILE);
  const variable = `COMPOSE_ENV_FILES=${environment}`;
  if (!/^name: nereid$/m.test(readText(join(world.folder, 'docker-compose.yml')) ?? '')) return variable;
  const link = join(world.folder, '.env');
  if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) {
    const isOurs = readText(link) === readText(environment);
    screen.line(`.env: left as it was${isOurs ? '' : ', which is another environment'}`);
    return isOurs ? undefined : variable;
  }
  try {
    symlinkSync(environment, link);
  } catch (cause) {
    screen.line(`.env: not made: ${errorFields(cause).message}`);
    return variable;
  }
  screen.line(`.env: leads to ${environment}`);
  return undefined;
}

/** The user of the images, which reads the secrets. */
const CONTAINER_USER = 1_000;

/** False where only an administrator can. */
export function giveToContainers({ world }: Call, folder: string): boolean {
  if (world.user !== 0) return world.user === undefined || world.user === CONTAINER_USER;
  try {
    // What a link leads to is not ours.
    for (const file of CONTAINER_FILES.map((name) => join(folder, name)).filter((each) => existsSync(each)))
      lchownSync(file, CONTAINER_USER, CONTAINER_USER);
    return true;
  } catch (cause) {
    throw new ExitError(
      EXIT.refused,
      `expected to give the secrets in ${folder} to the user ${CONTAINER_USER}, found: ${errorFields(cause).message}`,
    );
  }
}
