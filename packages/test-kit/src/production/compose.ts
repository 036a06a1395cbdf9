/** docker-compose.yml, as far as tests read it. */
import { parse } from 'yaml';
import { readRepositoryFile } from './repository.ts';

export interface Service {
  readonly image: string;
  readonly build?: { readonly dockerfile: string; readonly target: string };
  /** Null for what the shell has. */
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly secrets?: readonly string[];
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

export interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, unknown>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
}

export async function readCompose(): Promise<Compose> {
  // A test checks that the file has the shape of the specification, and so of this type.
  return parse(await readRepositoryFile('docker-compose.yml'), { merge: true }) as Compose;
}
