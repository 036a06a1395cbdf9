/** docker-compose.yml, as far as tests read it. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { REPOSITORY } from '../repository.ts';

export interface Service {
  readonly image: string;
  readonly build?: { readonly dockerfile: string; readonly target: string };
  /** Null for what the shell has. */
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly secrets?: readonly (string | ChosenSecret)[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly healthcheck?: unknown;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly profiles?: readonly string[];
  readonly stop_grace_period?: string;
  readonly configs?: readonly { readonly source: string; readonly target: string }[];
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly command?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly networks: readonly string[];
  readonly mem_limit?: string;
  readonly pids_limit?: number;
}

/** A file whose path is in a variable of the operator, if there is one. */
export interface ChosenSecret {
  readonly source: string;
  readonly target: string;
}

export interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, unknown>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
}

/** Those that every installation has. */
export function fixedSecrets({ secrets = [] }: Pick<Service, 'secrets'>): readonly string[] {
  return secrets.filter((secret) => typeof secret === 'string');
}

/** `folder`: that of an earlier commit, or this repository. */
export async function readCompose(folder = REPOSITORY): Promise<Compose> {
  // A test checks that the file has the shape of the specification, and so of this type.
  return parse(await readFile(path.join(folder, 'docker-compose.yml'), 'utf8'), { merge: true }) as Compose;
}
