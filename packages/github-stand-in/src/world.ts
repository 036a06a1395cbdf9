import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import type { Contract } from './contract/contract.ts';
import type { Faults } from './faults/faults.ts';
import type { Permissions, Repository } from './state/model.ts';
import type { Serialise } from './state/serialise.ts';
import type { Store } from './state/store.ts';
import type { Traffic } from './traffic.ts';
import type { Webhooks } from './webhooks/webhooks.ts';

/** Everything that the parts of the stand-in share. */
export interface World {
  /** `http://127.0.0.1:<port>`: pages and git. */
  readonly url: string;
  /** `<url>/api/v3`, as on GitHub Enterprise Server. */
  readonly apiUrl: string;
  /** The one App of this GitHub: the last that a person made, or the one of the start. */
  app: App;
  /** Nobody can make another one. */
  readonly keepsApp: boolean;
  /** Undefined where the App has no login for people. */
  oauth: OAuthClient | undefined;
  readonly store: Store;
  readonly contract: Contract;
  readonly faults: Faults;
  readonly traffic: Traffic;
  readonly webhooks: Webhooks;
  /** Makes writes to one repository happen one after the other. */
  readonly serialise: Serialise;
  readonly repositoriesDir: string;
  /** Whether our own answers and webhooks are checked against GitHub's description; a difference throws. */
  readonly checkAnswers: boolean;
  readonly requestsPerHour: number;
}

/** The parts of the world that answers need for addresses and accounts. */
export type View = Pick<World, 'url' | 'apiUrl' | 'app' | 'store' | 'repositoriesDir'>;

export interface App {
  readonly id: number;
  readonly slug: string;
  readonly clientId: string;
  /** Undefined for the first account that has installed it. */
  readonly owner: string | undefined;
  /** Its public page. */
  readonly url: string;
  /** What it asks for, and what every installation has agreed to. */
  readonly permissions: Permissions;
  readonly events: readonly string[];
  /** Its login when it writes: `<slug>[bot]`. */
  readonly bot: string;
  readonly publicKey: KeyObject;
}

/** The App's login for people. */
export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** As the App has it: people come back to no other address. */
  readonly redirectUri: string;
  /** How long a token of a person lasts; absent: until it is revoked, as an App may have it. */
  readonly tokenLifeMs?: number;
  readonly deviceFlow?: DeviceFlow;
}

/** Without it, the box "Enable Device Flow" of the App is not ticked. */
export interface DeviceFlow {
  /** How long a program waits between two questions; GitHub says 5. */
  readonly intervalS: number;
}

/** The folder of a repository on disk. */
export function directoryOf(world: Pick<World, 'repositoriesDir'>, repository: Repository): string {
  return join(world.repositoriesDir, repository.owner, `${repository.name}.git`);
}
