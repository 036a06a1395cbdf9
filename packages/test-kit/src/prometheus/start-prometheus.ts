/** A Prometheus that reads the metrics of processes every few seconds, and judges rules as often. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stringify } from 'yaml';
import { freePort } from '../background/free-port.ts';
import { startUntilReady } from '../background/server.ts';

export interface PrometheusOptions {
  /** The path of the program. */
  readonly prometheus: string;
  /** Where it keeps everything. */
  readonly folder: string;
  /** Paths of files with rules. */
  readonly ruleFiles: readonly string[];
  /** The `host:port` of each process, by the name of its job. */
  readonly targets: Readonly<Record<string, readonly string[]>>;
}

export interface Prometheus extends AsyncDisposable {
  /** The names of the alerts that fire now. */
  firing(): Promise<readonly string[]>;
  /** The result of a query at this moment: the labels of each series, and its value. */
  query(expression: string): Promise<readonly Sample[]>;
}

export interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Tests wait for alerts. A process whose Temporal does not answer takes two seconds to say so. */
const EVERY = '3s';

const READY_TIMEOUT_MS = 120_000;
const ANSWER_MS = 30_000;

export async function startPrometheus(options: PrometheusOptions): Promise<Prometheus> {
  const { prometheus, folder, ruleFiles, targets } = options;
  await mkdir(folder, { recursive: true });
  const config = path.join(folder, 'prometheus.yml');
  await writeFile(
    config,
    stringify({
      global: { scrape_interval: EVERY, scrape_timeout: EVERY, evaluation_interval: EVERY },
      rule_files: ruleFiles,
      scrape_configs: Object.entries(targets).map(([job, addresses]) => ({
        job_name: job,
        static_configs: [{ targets: addresses }],
      })),
    }),
  );
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = await startUntilReady({
    name: 'Prometheus',
    process: {
      argv: [
        prometheus,
        `--config.file=${config}`,
        `--storage.tsdb.path=${path.join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--log.level=warn',
      ],
      env: {},
      cwd: folder,
      logFile: path.join(folder, 'prometheus.log'),
    },
    isReady: async () => (await fetch(`${url}/-/ready`, { signal: AbortSignal.timeout(ANSWER_MS) })).ok,
    readyTimeoutMs: READY_TIMEOUT_MS,
  });

  async function query(expression: string): Promise<readonly Sample[]> {
    const asked = new URL('/api/v1/query', url);
    asked.searchParams.set('query', expression);
    const response = await fetch(asked, { signal: AbortSignal.timeout(ANSWER_MS) });
    // Prometheus's own contract for an instant vector.
    const answer = (await response.json()) as Answer;
    if (answer.data === undefined) throw new Error(`Prometheus does not answer ${expression}: ${answer.error ?? ''}`);
    return answer.data.result.map(({ metric, value: [, value] }) => ({ metric, value: Number(value) }));
  }

  return {
    query,
    async firing() {
      const alerts = await query('count by (alertname) (ALERTS{alertstate="firing"})');
      return alerts.map(({ metric }) => metric['alertname'] ?? '').toSorted();
    },
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

interface Answer {
  readonly error?: string;
  readonly data?: {
    readonly result: readonly {
      readonly metric: Readonly<Record<string, string>>;
      readonly value: readonly [at: number, value: string];
    }[];
  };
}
