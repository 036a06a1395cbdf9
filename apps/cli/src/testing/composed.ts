/** docker-compose.yml with the environment of a set-up: what Compose gives to each process, with files where they are on this machine. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export type Variables = Readonly<Record<string, string>>;

export interface Composed {
  readonly environmentOf: (service: string) => Variables;
  /** The names of all files that are secrets. */
  readonly secrets: readonly string[];
}

interface Compose {
  readonly services: Record<string, { readonly environment: Readonly<Record<string, string | number | null>> }>;
  readonly secrets: Record<string, { readonly file: string }>;
  readonly configs: { readonly server: { readonly file: string } };
}

/** Of a secret that an installation does not have. */
const NO_FILE = '/dev/null';

const FILE = join(import.meta.dirname, '../../../../docker-compose.yml');

/** `environment` is the text of the file `.env`. */
export function composed(environment: string): Composed {
  const variables = variablesIn(environment);
  const { NEREID_SECRETS: folder = '' } = variables;
  const substituted = readFileSync(FILE, 'utf8').replaceAll(
    /\$\{(?<name>\w+)(?::[-?](?<or>[^}]*))?\}/g,
    (_all, name: string, or?: string) => variables[name] ?? or ?? '',
  );
  const { services, secrets, configs } = parse(substituted, { merge: true }) as Compose; // Another test checks its shape.
  const placed = (text: string) =>
    text.replace('/run/secrets', folder).replace('/etc/nereid/nereid.server.yaml', configs.server.file);
  return {
    environmentOf: (service) => {
      const all = Object.entries(services[service]?.environment ?? {}).flatMap(([name, value]) => {
        // Without a value, a variable is that of the environment, if it has one.
        const given = value ?? variables[name];
        // The file is parsed after its variables were put in, so that numbers are among them.
        return given === undefined ? [] : [[name, placed(String(given))] as const];
      });
      return Object.fromEntries(all);
    },
    secrets: Object.values(secrets).flatMap(({ file }) => (file === NO_FILE ? [] : [file.replace(`${folder}/`, '')])),
  };
}

function variablesIn(text: string): Variables {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}
