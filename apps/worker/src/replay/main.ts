/** `main.ts [--with FILE_OR_FOLDER] [--within TIME] [--workflows FILE]`: which open workflows the workflow code of this image, or of another one, would break. */
import { ConfigurationError } from '@nereid/config';
import {
  createLogger,
  createTemporalClient,
  extractEnvironment,
  readTemporalConfig,
  requireTemporal,
} from '@nereid/process';
import { Connection } from '@temporalio/client';
import { UsageError } from '../operator/command.ts';
import { sentenceOf } from '../operator/sentence-of.ts';
import { installRuntime } from '../platform/temporal/install-runtime.ts';
import { createSdkLogger } from '../platform/temporal/sdk-logger.ts';
import { workflowBundle } from '../platform/temporal/workflow-bundle.ts';
import { describeReplay } from './describe-replay.ts';
import { findBundle } from './find-bundle.ts';
import { readOptions } from './read-options.ts';
import { replayOpen } from './replay-open.ts';

/** `refused`: a workflow would break, or it is not known of each that it would not. */
const EXIT = { done: 0, refused: 1, wrongUsage: 2 } as const;

const say = (line: string) => void process.stdout.write(`${line}\n`);
const note = (line: string) => void process.stderr.write(`${line}\n`);

async function main(): Promise<number> {
  const { other, own, withinMs } = readOptions(process.argv.slice(2));
  const temporal = readEnvironment();
  const path = other === undefined ? own : await findBundle(other);
  // What the library would log of a history that does not fit is printed as a line.
  const logger = createLogger('replay', { level: 'silent', format: 'json' });
  installRuntime(logger, { isMeasured: false });
  await requireTemporal(temporal);
  const sealsFailures = temporal.payloadKeys.seals !== undefined;
  const bundle = await workflowBundle({ path, sealsFailures }, createSdkLogger(logger));
  const connection = await Connection.connect(temporal.connection);
  try {
    const client = createTemporalClient(temporal, { connection });
    const replayed = await replayOpen({ ...temporal, client, workflowBundle: bundle, withinMs, report: note });
    const { isFit, lines } = describeReplay(replayed);
    lines.forEach(say);
    return isFit ? EXIT.done : EXIT.refused;
  } finally {
    await connection.close();
  }
}

/** Throws a ConfigurationError. */
function readEnvironment() {
  const temporal = readTemporalConfig(extractEnvironment(process.env));
  if (temporal.kind === 'ok') return temporal.config;
  throw new ConfigurationError(temporal.problems);
}

// The library's runtime would keep the process.
try {
  process.exit(await main());
} catch (error) {
  const sentence = sentenceOf(error);
  if (sentence === undefined) throw error;
  note(sentence);
  const isWrong = error instanceof UsageError || error instanceof ConfigurationError;
  process.exit(isWrong ? EXIT.wrongUsage : EXIT.refused);
}
