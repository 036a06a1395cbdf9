/** The alerts for Prometheus and the dashboard for Grafana, as far as tests read them. */
import { parse } from 'yaml';
import { readRepositoryFile } from '../repository.ts';

export const RULES = '.config/production/prometheus/nereid.rules.yml';

const DASHBOARD = '.config/production/grafana/nereid.json';

export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** The text of the file. */
export const readRules = (): Promise<string> => readRepositoryFile(RULES);

export async function readAlerts(): Promise<readonly Alert[]> {
  return alertsIn(await readRules());
}

export function alertsIn(yaml: string): readonly Alert[] {
  const { groups } = parse(yaml) as { readonly groups: readonly { readonly rules: readonly (Alert | object)[] }[] };
  return groups.flatMap(({ rules }) => rules.flatMap((rule) => ('alert' in rule ? [rule] : [])));
}

/** Every query of every panel. */
export async function dashboardQueries(): Promise<readonly string[]> {
  const { panels } = JSON.parse(await readRepositoryFile(DASHBOARD)) as {
    readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
  };
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
}

/** The name of a metric of ours where it is made. */
export const METRIC = /'(nereid_[a-z_]+)'/g;

/** The metrics that a query reads, without the suffixes of histograms' series. */
export function metricsIn(query: string): readonly string[] {
  const bare = query
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\b(by|on|without|ignoring) \([^)]*\)/g, '');
  const names = Array.from(bare.matchAll(/\b[a-zA-Z_]\w*\b(?!\s*\()/g), ([name]) => name);
  return names.filter((name) => !WORDS.has(name)).map((name) => name.replace(/(?<=_seconds)_(bucket|count|sum)$/, ''));
}

/** Of PromQL; those before a bracket are functions anyway. */
const WORDS: ReadonlySet<string> = new Set(['and', 'or', 'unless', 'by', 'on', 'without', 'bool']);
