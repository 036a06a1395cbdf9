import type { Environment, Report, TemporalServer } from '@nereid/test-kit';
import type { RootName } from '../sample/repository.ts';
import type { Folders } from './folders.ts';
import type { AppName, ProcessOptions, Sources } from './processes.ts';
import type { Policy } from './server-file.ts';
import type { StorageKind } from './storage.ts';
import type { UiPlace } from './temporal-ui/ui-guard.ts';

export interface StackOptions extends Policy {
  readonly env: Environment;
  /** Where everything is kept; a second start with the same folder continues. */
  readonly folder: string;
  readonly ports: 'usual' | 'free';
  readonly storage: StorageKind;
  /** Returns the address at which processes reach storage on S3, in place of the server's own. */
  readonly storageThrough?: (endpoint: string) => Promise<string>;
  readonly report: Report;
  /** How often within a minute a process that ended by itself is started again; default never. */
  readonly restarts?: number;
  /** Two hosts instead of one. */
  readonly hasSecondWorker?: boolean;
  /** A control worker, and a host of its own, each with the keys of its role alone. */
  readonly hasHostAlone?: boolean;
  /** Like `hasHostAlone`, with several of each process: see replicas.ts. */
  readonly hasSeveral?: boolean;
  /** The pool of the second worker, and of roots of the sample; default: `default`. */
  readonly pools?: Pools;
  /** Default: bubblewrap, where this machine can make sandboxes. */
  readonly sandbox?: 'bubblewrap' | 'none';
  /** What goes through Temporal is sealed; default: it is not. */
  readonly sealsPayloads?: boolean;
  /** Default: the least that GitHub gives. */
  readonly githubRequestsPerHour?: number;
  /** Variables that the processes have besides those that they need. */
  readonly environments?: ProcessOptions['environments'];
  /** The files of workers that run another build of the workflows than the stack's own. */
  readonly workflowBundles?: Partial<Record<AppName, string>>;
  /** What the command line of a process begins with; default: nothing but Node. */
  readonly launchers?: ProcessOptions['launchers'];
  /** What processes are started from until they are upgraded; default: this checkout. */
  readonly earlier?: Sources | undefined;
  /** Starts another Temporal than the dev server. Its web UI is away. */
  readonly startTemporal?: StartTemporal | undefined;
  /** Ends the start early: everything that was started is stopped, and the signal's reason is thrown. */
  readonly signal?: AbortSignal;
}

export type StartTemporal = (place: TemporalPlace) => Promise<TemporalServer>;

interface TemporalPlace {
  readonly port: number;
  /** Where only the guard of the UI finds it. */
  readonly ui: UiPlace;
  readonly logFile: string;
  readonly folders: Folders;
  readonly signal: AbortSignal | undefined;
}

export interface Pools {
  readonly secondWorker: string;
  readonly roots: Readonly<Partial<Record<RootName, string>>>;
}
