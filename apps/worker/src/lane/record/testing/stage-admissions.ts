/** Admissions in tests: a real store of records, and answers in place of the forge and git. */
import { beforeEach } from '@jest/globals';
import { defined } from '@nereid/domain/defined';
import type { Admission, Admitted } from '@nereid/domain/lane';
import { aRecord, deploymentAt, REPOSITORY, shaAt } from '@nereid/domain/testing';
import type { Commits } from '@nereid/forge';
import { createLaneRecords, type LaneRecords, type ObjectStore } from '@nereid/storage';
import { storeOfEachTest } from '@nereid/storage/testing';
import { pino } from 'pino';
import { beginContext, type World } from '../../../gates/testing/begin-context.ts';
import { asOrdered } from '../../../testing/test-signatures.ts';
import { admitDeployment } from '../admit-deployment.ts';

type Context = Parameters<typeof admitDeployment>[0];

export const RUNNING = await asOrdered(REPOSITORY, deploymentAt(3));
export const RECORD = aRecord({ running: RUNNING, writer: { runId: 'run-1', sequence: 1 } });
export const WANTED: Admission = {
  record: RECORD,
  ifVersion: null,
  compareWith: shaAt(1),
  contains: [shaAt(2), shaAt(4)],
};

/** In place of the forge, of git and of storage. */
export interface Answers extends Pick<
  World,
  'windows' | 'budgets' | 'leases' | 'hasEnded' | 'onRing' | 'stops' | 'poolStops'
> {
  readonly compare?: Commits['compare'];
  readonly contained?: Context['mirrors']['contained'];
  /** Default: this host has none of the commits. */
  readonly isKnownAncestor?: Context['mirrors']['isKnownAncestor'];
  readonly laneRecords?: LaneRecords;
  /** In place of `stops` and `poolStops`. */
  readonly stopRecords?: Context['stopRecords'];
  readonly soakFacts?: Context['soakFacts'];
  /** In place of `leases`. */
  readonly budgetLeases?: Context['budgetLeases'];
  /** In place of `hasEnded`. */
  readonly deploymentRecords?: Context['deploymentRecords'];
}

export interface Admissions {
  readonly admit: (admission: Admission, answers?: Answers) => Promise<Admitted>;
  /** What the log has, since the test began. */
  readonly logged: readonly string[];
  readonly records: LaneRecords;
  readonly store: ObjectStore;
}

/** Opens a store before each test. */
export function stageAdmissions(): Admissions {
  const store = storeOfEachTest();
  let records: LaneRecords;
  const logged: string[] = [];

  beforeEach(() => {
    records = createLaneRecords(store);
    logged.length = 0;
  });

  return {
    logged,
    get records() {
      return records;
    },
    store,
    admit: (admission, answers = {}) => admit({ records, logged }, admission, answers),
  };
}

async function admit(
  { records, logged }: { readonly records: LaneRecords; readonly logged: string[] },
  admission: Admission,
  answers: Answers,
): Promise<Admitted> {
  const { compare = async () => 'ahead', contained = async () => [shaAt(2)], ...others } = answers;
  const { isKnownAncestor = async () => undefined, laneRecords = records, ...more } = others;
  const { stopRecords, budgetLeases, deploymentRecords, soakFacts = async () => ({}), ...world } = more;
  const context: Context = {
    ...beginContext({ repositories: '[{ match: "acme/*" }]', ...world }),
    ...defined({ stopRecords, budgetLeases, deploymentRecords }),
    ...{ forge: { commits: { compare } }, mirrors: { contained, isKnownAncestor }, laneRecords, soakFacts },
    logger: pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) }),
  };
  return admitDeployment(context, admission, AbortSignal.abort());
}
