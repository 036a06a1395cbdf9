/** The global set-up hands over its results in these variables, to the processes in which jest runs the test files. */
const SERVER = 'NEREID_TEST_TEMPORAL_ADDRESS';
const BUNDLE = 'NEREID_TEST_WORKFLOW_BUNDLE';

/** In this variable, `make record-histories` hands over a folder. */
const HISTORIES = 'NEREID_TEST_RECORDS_HISTORIES_IN';

/** Jest starts its processes with the environment of the one that ran the set-up. */
export function announceTestRun(server: string, bundle: string): void {
  process.env[SERVER] = server;
  process.env[BUNDLE] = bundle;
}

/** `host:port` of the dev server of this test run. */
export const serverOfThisRun = (): string => announced(SERVER);

/** The file with the bundle of the product's workflows. */
export const bundleOfThisRun = (): string => announced(BUNDLE);

/** The folder in which this run records histories; undefined when it records none. */
export const recordingOfThisRun = (): string | undefined => process.env[HISTORIES];

function announced(name: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new Error(
    `${name} is not set: this test file must be in a jest project with the global set-up of packages/test-kit`,
  );
}
