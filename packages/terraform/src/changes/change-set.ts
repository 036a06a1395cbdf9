/**
 * The digest of everything that an apply of a plan would change, in a form in which two plans of the same change are equal. There is
 * none where an apply may do more than the plan says, or where the digest could give away a secret.
 */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';

/** Larger plans take too long to read beside the other jobs of a host: a person looks at them again. */
const SIZE_LIMIT_BYTES = 8 * 1024 ** 2;

type Json = Readonly<Record<string, unknown>>;

/** The parts of the JSON plan whose meaning is known. `null`: a plan that has anything in them is not. */
const PARTS: Readonly<Record<string, 'read' | 'says nothing' | null>> = {
  format_version: 'says nothing',
  terraform_version: 'says nothing',
  variables: 'says nothing',
  planned_values: 'says nothing',
  prior_state: 'says nothing',
  relevant_attributes: 'says nothing',
  resource_drift: 'says nothing',
  checks: 'says nothing',
  timestamp: 'says nothing',
  resource_changes: 'read',
  output_changes: 'read',
  configuration: 'read',
  applyable: 'read',
  complete: 'read',
  errored: 'read',
  deferred_changes: null,
  action_invocations: null,
  deferred_action_invocations: null,
};

const OF_RESOURCE = [
  'address',
  'previous_address',
  'module_address',
  'mode',
  'type',
  'name',
  'index',
  'provider_name',
  'deposed',
  'action_reason',
  'change',
];

const OF_CHANGE = [
  'actions',
  'before',
  'after',
  'after_unknown',
  'before_sensitive',
  'after_sensitive',
  'replace_paths',
  'importing',
  'before_identity',
  'after_identity',
];

/** `volatile` are attributes like `aws_lambda_function.last_modified`, which make no difference. Undefined: a person looks again. */
export async function digestOfChanges(file: string, volatile: readonly string[]): Promise<string | undefined> {
  const { size } = await stat(file);
  if (size > SIZE_LIMIT_BYTES) return undefined;
  return changeSetDigest(await readFile(file, 'utf8'), volatile);
}

export function changeSetDigest(text: string, volatile: readonly string[]): string | undefined {
  try {
    const changes = changeSetOf(JSON.parse(text), volatile);
    // Under another list of volatile attributes, nothing is equal.
    return createHash('sha256')
      .update(canonical({ changes, volatile: volatile.toSorted() }))
      .digest('hex');
  } catch (error) {
    if (error instanceof UnknownChangeError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The plan has something of which nobody here knows whether it is the same. Its message has no value of the plan. */
class UnknownChangeError extends Error {
  override readonly name = 'UnknownChangeError';
  readonly code = 'UNKNOWN_CHANGE';
}

function changeSetOf(plan: unknown, volatile: readonly string[]): Json {
  const { resource_changes: resources = [], output_changes: outputs = {}, configuration, ...rest } = objectOf(plan);
  requireKnownParts(rest);
  requirePlainConfiguration(configuration);
  return {
    resources: listOf(resources)
      .flatMap((resource) => resourceChange(objectOf(resource), volatile))
      .toSorted((one, other) => compare(canonical(one), canonical(other))),
    outputs: Object.entries(objectOf(outputs))
      .flatMap(([name, change]) => {
        const known = changeOf(objectOf(change), []);
        return isNoOp(known) ? [] : [{ name, ...known }];
      })
      .toSorted((one, other) => compare(one.name, other.name)),
  };
}

function requireKnownParts(plan: Json): void {
  for (const [name, part] of Object.entries(plan)) {
    const known = Object.hasOwn(PARTS, name) ? PARTS[name] : null;
    if (known === null && !isEmpty(part)) throw new UnknownChangeError(`a part of the plan: ${name}`);
  }
  if (plan['errored'] === true || plan['complete'] === false) throw new UnknownChangeError('an incomplete plan');
}

/** What runs at an apply besides providers, or reads what no plan shows. */
function requirePlainConfiguration(configuration: unknown): void {
  walk(configuration, (node) => {
    if (!isEmpty(node['provisioners'])) throw new UnknownChangeError('a provisioner');
    if (node['mode'] === 'data' && node['type'] === 'external') throw new UnknownChangeError('an external source');
  });
}

function resourceChange(resource: Json, volatile: readonly string[]): readonly Json[] {
  requireKnownFields(resource, OF_RESOURCE);
  const { address, previous_address: previous, mode, type, deposed, change } = resource;
  const own = volatile.flatMap((name) =>
    name.startsWith(`${String(type)}.`) ? [name.slice(String(type).length + 1)] : [],
  );
  const known = changeOf(objectOf(change), own);
  const isMoved = previous !== undefined && previous !== address;
  if (isNoOp(known) && !isMoved && isEmpty(known['importing'])) return [];
  return [{ address, previous, mode, type, deposed, ...known }];
}

/** Attributes as they are before and after. */
function changeOf(change: Json, volatile: readonly string[]): Json {
  requireKnownFields(change, OF_CHANGE);
  const without = (value: unknown) => volatile.reduce((left, name) => withoutAttribute(left, name.split('.')), value);
  const { actions, replace_paths: replacePaths, importing } = change;
  const isRead = listOf(actions).includes('read');
  if (isNoOp({ actions })) return { actions, importing };
  // A source that is read at the apply may say anything.
  if (isRead || hasTrue(without(change['after_unknown']))) throw new UnknownChangeError('an unknown value');
  // Whoever reads the digest could try all values of a short secret.
  if (hasTrue(change['before_sensitive']) || hasTrue(change['after_sensitive']))
    throw new UnknownChangeError('a sensitive value');
  const values = { before: without(change['before']), after: without(change['after']) };
  return {
    actions,
    importing,
    replacePaths,
    ...values,
    identities: [change['before_identity'], change['after_identity']],
  };
}

function isNoOp({ actions }: Json): boolean {
  return canonical(actions) === '["no-op"]';
}

function withoutAttribute(value: unknown, [name = '', ...rest]: readonly string[]): unknown {
  if (!isObject(value) || !Object.hasOwn(value, name)) return value;
  if (rest.length > 0) return { ...value, [name]: withoutAttribute(value[name], rest) };
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}

function requireKnownFields(value: Json, known: readonly string[]): void {
  const other = Object.entries(value).find(([name, part]) => !known.includes(name) && !isEmpty(part));
  if (other !== undefined) throw new UnknownChangeError(`a field: ${other[0]}`);
}

function hasTrue(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === true;
  return Object.values(value).some(hasTrue);
}

/** Each object in it, itself included. */
function walk(value: unknown, visit: (node: Json) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (isObject(value)) visit(value);
  for (const each of Object.values(value)) walk(each, visit);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new UnknownChangeError('something else than a list');
  return value;
}

function objectOf(value: unknown): Json {
  if (!isObject(value)) throw new UnknownChangeError('something else than an object');
  return value;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** Keys in order, so that two objects with the same content are the same text. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => compare(one, other))) : part,
  );
}
