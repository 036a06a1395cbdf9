/** Temporal as companies run it, for the local stack: PostgreSQL with its schema, and servers on it. */
import path from 'node:path';
import type { Environment } from '../../toolchain/environment.ts';
import type { Report } from '../../toolchain/report.ts';
import type { TemporalServer } from '../start-temporal-server.ts';
import { findPostgres } from './find-postgres.ts';
import { findTemporalServer } from './find-temporal-server.ts';
import { startPostgres } from './start-postgres.ts';
import {
  choosePartPorts,
  setUpSchema,
  startTemporalOnPostgres,
  type TemporalOnPostgresOptions,
} from './start-temporal-on-postgres.ts';

export interface TemporalOnPostgres extends AsyncDisposable {
  /** Where PostgreSQL keeps everything. */
  readonly dataFolder: string;
  startServer(options: Pick<TemporalOnPostgresOptions, 'port' | 'logFile' | 'signal'>): Promise<TemporalServer>;
  /** Kills PostgreSQL as when its machine dies; it stays away until `letPostgresUp`. */
  holdPostgresDown(): Promise<void>;
  letPostgresUp(): Promise<void>;
}

export interface TemporalOnPostgresSearch {
  readonly env: Environment;
  /** Of PostgreSQL; a second time with the same folder continues. */
  readonly folder: string;
  readonly report: Report;
}

/** Starts PostgreSQL and sets up its schema. Stop its servers before it. */
export async function openTemporalOnPostgres({
  env,
  folder,
  report,
}: TemporalOnPostgresSearch): Promise<TemporalOnPostgres> {
  const programs = await findTemporalServer(env, report);
  const options = { programs: await findPostgres({ env, report }), folder };
  let postgres = await startPostgres(options);
  const { port } = postgres;
  const parts = await choosePartPorts();
  try {
    await setUpSchema(programs, postgres);
  } catch (error) {
    await postgres.stop();
    throw error;
  }
  return {
    dataFolder: path.join(folder, 'data'),
    startServer: (server) => startTemporalOnPostgres({ ...server, programs, postgres, parts }),
    holdPostgresDown: () => postgres.kill(),
    async letPostgresUp() {
      postgres = await startPostgres({ ...options, port });
    },
    [Symbol.asyncDispose]: () => postgres.stop(),
  };
}
