/** The README of the chart: what it is, and a table of all values with what `values.yaml` says of each. */
import { isMap, isScalar, parseDocument, type Pair } from 'yaml';

interface Value {
  /** `gateway.ingress.host`. */
  readonly path: string;
  readonly meaning: string;
  readonly byDefault: string;
}

/** A default that is longer is looked up in values.yaml. */
const LONGEST_DEFAULT = 50;

const HEAD = `# The Helm chart of Nereid

It installs the gateway, the console, and workers of both roles: control, and hosts in pools. [The
guide](../docs/guides/kubernetes.md) has what it requires, the Secrets, and what hosts need of their nodes; [the
examples](examples) are complete installations. Temporal is not part of it.

\`\`\`sh
helm install nereid oci://ghcr.io/OWNER/charts/nereid --version VERSION --namespace nereid --values values.yaml
\`\`\`

In a clone, \`apps/chart\` stands for the address. \`make chart-readme\` writes this page from \`values.yaml\`, whose
\`values.schema.json\` refuses every value that is not here.

`;

export function chartReadme(values: string): string {
  const { contents } = parseDocument(values);
  if (!isMap(contents)) throw new Error('expected a mapping in values.yaml');
  const [top, parts] = partition(contents.items as readonly Pair[], ({ value }) => !isMap(value) || isEmpty(value));
  const all = tableOf(top.flatMap((pair) => valuesOf(pair, [])));
  return `${HEAD}## Of all\n\n${all}\n${parts.map((part) => sectionOf(part)).join('\n')}`;
}

function sectionOf(part: Pair): string {
  const said = sentencesOf(part);
  const intro = said === '' ? '' : `${said}\n\n`;
  return `## ${nameOf(part)}\n\n${intro}${tableOf(isMap(part.value) ? below(part, []) : [])}`;
}

function tableOf(values: readonly Value[]): string {
  const rows = values.map(({ path, byDefault, meaning }) => `| \`${path}\` | ${byDefault} | ${cell(meaning)} |`);
  return ['| Value | Default | Meaning |', '| --- | --- | --- |', ...rows, ''].join('\n');
}

/** A mapping without comments on its entries is one value: a default, and not a group. */
function valuesOf(pair: Pair, above: readonly string[], comment?: string | null): readonly Value[] {
  const path = [...above, nameOf(pair)];
  const inside = isMap(pair.value) ? below(pair, above) : [];
  const isGroup = inside.some(({ meaning }) => meaning !== '');
  const meaning = sentencesOf(pair, comment ?? undefined);
  if (isGroup) return meaning === '' ? inside : [{ path: path.join('.'), meaning, byDefault: '' }, ...inside];
  return [{ path: path.join('.'), meaning, byDefault: defaultOf(pair) }];
}

function below({ key, value }: Pair, above: readonly string[]): readonly Value[] {
  if (!isMap(value)) return [];
  const [first, ...rest] = value.items as readonly Pair[];
  if (first === undefined) return [];
  const inside = [...above, String(key)];
  // The parser gives a comment above the first entry to the mapping.
  return [...valuesOf(first, inside, value.commentBefore), ...rest.flatMap((item) => valuesOf(item, inside))];
}

function sentencesOf({ key }: Pair, comment = isScalar(key) ? key.commentBefore : undefined): string {
  return (comment ?? '')
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
    .trim();
}

function nameOf({ key }: Pair): string {
  return String(key);
}

function defaultOf({ value }: Pair): string {
  const text = JSON.stringify(value);
  if (text === '""') return '';
  return text.length > LONGEST_DEFAULT ? '`values.yaml` has it' : `\`${text.replaceAll('|', '\\|')}\``;
}

/** A bar would end the cell, and angle brackets would be a tag. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/<(\w+)>/g, '`<$1>`');
}

function isEmpty(value: unknown): boolean {
  return isMap(value) && value.items.length === 0;
}

function partition<T>(all: readonly T[], isFirst: (item: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter((item) => isFirst(item)), all.filter((item) => !isFirst(item))];
}
