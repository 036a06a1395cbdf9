/** The settings of a run of schemathesis, as TOML. Pure. */

/** Values by the name of the parameter that takes them. */
export type KnownValues = ReadonlyMap<string, readonly (string | number)[]>;

/** The parts of an OpenAPI document that we read. */
export interface FuzzedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, FuzzedOperation>>>>;
}

interface FuzzedOperation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string }[];
  /** By status. */
  readonly responses?: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'positive_data_acceptance',
  'unsupported_method',
  'allow_header_conformance',
];

/** To what is as described; 422 is for a name of a request that another request had. */
const MAY_ANSWER = ['2xx', '3xx', '401', '403', '404', '409', '422', '429', '5xx'];

/** To what is not as described; a text that is too long may make a body that is too large. */
const MAY_REFUSE = ['400', '401', '403', '404', '405', '406', '409', '413', '415', '422', '429', '5xx'];

/** With all parts known, a path of three parts names something now and then; the others are made up. */
const KNOWN_SHARE = 0.8;

/** Of the texts within bodies. */
const KNOWN_TEXTS_SHARE = 0.3;

export function fuzzSettings({ paths }: FuzzedDocument, known: KnownValues): string {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const lines = [
    'continue-on-failure = true',
    // A stream of events does not end by itself.
    'max-stream-events = 1',
    'warnings = false',
    '[checks]',
    'enabled = false',
    ...CHECKS.map((check) => `${check}.enabled = true`),
    `positive_data_acceptance.expected-statuses = ${JSON.stringify(MAY_ANSWER)}`,
    `negative_data_rejection.expected-statuses = ${JSON.stringify(MAY_REFUSE)}`,
    ...(known.size > 0 ? dictionaries(known) : []),
    ...without(
      'positive_data_acceptance',
      operations.filter((one) => hasCursor(one) || isStream(one)),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

/** A cursor that nobody was given is refused, although it is a text like any. */
function hasCursor({ parameters = [] }: FuzzedOperation): boolean {
  return parameters.some(({ name }) => name === 'cursor');
}

/** What is streamed is one thing of several that exclude each other, which no description of parameters says. */
function isStream({ responses = {} }: FuzzedOperation): boolean {
  return Object.keys(responses['200']?.content ?? {}).includes('text/event-stream');
}

function without(check: string, operations: readonly FuzzedOperation[]): readonly string[] {
  if (operations.length === 0) return [];
  const ids = operations.map(({ operationId }) => operationId);
  return ['[[operations]]', `include-operation-id = ${JSON.stringify(ids)}`, `checks.${check}.enabled = false`];
}

function dictionaries(known: KnownValues): readonly string[] {
  const texts = [...known.values()].flat().filter((value) => typeof value === 'string');
  return [
    ...[...known, ['texts', texts] as const].flatMap(([name, values]) => [
      `[dictionaries.${name}]`,
      // A list of JSON is one of TOML.
      `values = ${JSON.stringify(values)}`,
    ]),
    '[parameters]',
    ...Array.from(known.keys(), (name) => `${name} = { dictionary = "${name}", probability = ${KNOWN_SHARE} }`),
    '[generation.dictionaries]',
    `string = { dictionary = "texts", probability = ${KNOWN_TEXTS_SHARE} }`,
  ];
}
