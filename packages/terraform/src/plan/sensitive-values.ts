/**
 * The values that Terraform marks as sensitive in a plan. Terraform hides them where they are marked; where a provider copied one into
 * another value, also into a text of JSON, the mark is lost. So they are hidden wherever else they stand. Pure.
 */

/** Shorter ones, such as `true` or `prod`, would hide innocent words. */
const SHORTEST = 8;

/** In characters, together: what hides them takes some forty times as many bytes. */
const LIMIT = 1024 ** 2;

/** Undefined when they are too many to be hidden. `json` is what `show -json` wrote. */
export function sensitiveValues(json: unknown): readonly string[] | undefined {
  const found = new Set<string>();
  const plan = fieldsOf(json);
  for (const { change } of listOf(plan['resource_changes'], plan['resource_drift'], plan['deferred_changes'])) {
    addChange(fieldsOf(change), found);
  }
  for (const change of Object.values(fieldsOf(plan['output_changes']))) addChange(fieldsOf(change), found);
  for (const state of [plan['planned_values'], fieldsOf(plan['prior_state'])['values']])
    addState(fieldsOf(state), found);
  addVariables(plan, found);
  if ([...found].reduce((sum, { length }) => sum + length, 0) > LIMIT) return undefined;
  const open = foundIn(openTexts(plan).join('\n'), found);
  return [...found].filter((value) => !open.has(value));
}

/** Those of the values that stand in the text, in one pass: both may have megabytes. */
function foundIn(text: string, values: ReadonlySet<string>): ReadonlySet<string> {
  const byStart = Map.groupBy(values, (value) => value.slice(0, SHORTEST));
  const found = new Set<string>();
  for (let at = 0; at + SHORTEST <= text.length; at += 1) {
    const start = text.slice(at, at + SHORTEST);
    for (const value of byStart.get(start) ?? []) if (text.startsWith(value, at)) found.add(value);
  }
  return found;
}

type Fields = Readonly<Record<string, unknown>>;

function addChange(change: Fields, found: Set<string>): void {
  addMarked(change['before'], change['before_sensitive'], found);
  addMarked(change['after'], change['after_sensitive'], found);
}

/** Data sources are in no list of changes. */
function addState({ root_module: root, outputs }: Fields, found: Set<string>): void {
  for (const output of Object.values(fieldsOf(outputs))) {
    const { sensitive, value } = fieldsOf(output);
    addMarked(value, sensitive, found);
  }
  addModule(fieldsOf(root), found);
}

function addModule({ resources, child_modules: children }: Fields, found: Set<string>): void {
  for (const { values, sensitive_values: marks } of listOf(resources)) addMarked(values, marks, found);
  for (const child of listOf(children)) addModule(child, found);
}

function addVariables({ variables, configuration }: Fields, found: Set<string>): void {
  const declared = fieldsOf(fieldsOf(fieldsOf(configuration)['root_module'])['variables']);
  for (const [name, variable] of Object.entries(fieldsOf(variables))) {
    addMarked(fieldsOf(variable)['value'], fieldsOf(declared[name])['sensitive'], found);
  }
}

/** A mark is `true` for all of a value, or has the shape of the value. */
function addMarked(value: unknown, mark: unknown, found: Set<string>): void {
  if (mark === true) addAll(value, found);
  else if (typeof mark === 'object' && mark !== null) {
    for (const [name, inner] of Object.entries(mark)) addMarked(fieldsOf(value)[name], inner, found);
  }
}

function addAll(value: unknown, found: Set<string>): void {
  if (typeof value === 'string') addText(value, found);
  else if (typeof value === 'number') addText(String(value), found);
  else for (const inner of Object.values(fieldsOf(value))) addAll(inner, found);
}

/** Terraform shows JSON value by value, and other texts line by line. */
function addText(text: string, found: Set<string>): void {
  const inner = jsonIn(text);
  if (inner !== undefined) addAll(inner, found);
  for (const line of [text, ...text.split('\n')].map((one) => one.trim())) {
    if (line.length >= SHORTEST) found.add(line);
  }
}

function jsonIn(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Everybody who reads the code knows these: hidden, they would only make the plan unreadable. */
function openTexts(plan: Fields): readonly string[] {
  const addresses = listOf(plan['resource_changes']).map(({ address }) => String(address));
  return [...new Set([...addresses, ...constantsIn(plan['configuration'])])];
}

function constantsIn(value: unknown): readonly string[] {
  return Object.entries(fieldsOf(value)).flatMap(([name, inner]) => {
    if (name !== 'constant_value') return constantsIn(inner);
    return typeof inner === 'string' ? [inner] : constantsOf(inner);
  });
}

function constantsOf(value: unknown): readonly string[] {
  return typeof value === 'string' ? [value] : Object.values(fieldsOf(value)).flatMap(constantsOf);
}

/** Of an object or a list; nothing else has any. */
function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}; // Both have names.
}

function listOf(...lists: readonly unknown[]): readonly Fields[] {
  return lists.flatMap((list) => (Array.isArray(list) ? list.map(fieldsOf) : []));
}
