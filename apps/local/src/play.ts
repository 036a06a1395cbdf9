import type { Environment, Report } from '@nereid/test-kit';
import path from 'node:path';
import type { StorageKind } from './stack/storage.ts';

/** The input of both ways of running the demo. */
export interface Play {
  readonly env: Environment;
  readonly home: Home;
  readonly storage: StorageKind;
  /** A made-up week as well. */
  readonly hasHistory: boolean;
  readonly report: Report;
}

/** Where the demo keeps everything between runs, and what a person types: `make` and `nereid` differ in both. */
export interface Home {
  readonly folder: string;
  /** The command that starts the demo. */
  readonly start: string;
  /** The command that removes what it keeps. */
  readonly reset: string;
}

/** `nereid demo` names the folder. */
export function homeOf(env: Environment): Home {
  const folder = env['NEREID_DEMO_FOLDER'] ?? '';
  if (folder === '') return { folder: IN_CLONE, start: 'make demo', reset: 'make demo-reset' };
  return { folder, start: 'nereid demo', reset: 'nereid demo --reset' };
}

const IN_CLONE = path.join(import.meta.dirname, '../../../.nereid');
