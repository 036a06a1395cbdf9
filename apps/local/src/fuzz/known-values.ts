/** What an API tells of itself: values in its answers, by the names of the parameters that take them. Pure. */

/** At most so many of each: more would hardly find more. */
const KEPT = 50;

/** By the name of the field. */
const PARAMETERS: Readonly<Record<string, (value: string) => readonly (readonly [string, string])[]>> = {
  repository: (value) => {
    const [owner = '', name = ''] = value.split('/');
    return [
      ['repository', value],
      ['owner', owner],
      ['name', name],
    ];
  },
  rootName: (value) => [['root', value]],
  sha: (value) => [['sha', value]],
  deploymentId: (value) => [['id', value]],
  person: (value) => [['person', value]],
  next: (value) => [['cursor', value]],
};

export function knownValues(answers: readonly unknown[]): Map<string, readonly (string | number)[]> {
  const known = new Map<string, Set<string | number>>();
  const add = (name: string, value: string | number) => {
    const values = known.get(name) ?? new Set();
    if (values.size < KEPT) values.add(value);
    known.set(name, values);
  };
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(walk);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    for (const [field, inside] of Object.entries(value)) {
      if (typeof inside === 'string') for (const [name, one] of PARAMETERS[field]?.(inside) ?? []) add(name, one);
      if (field === 'pullRequest' && typeof inside === 'number') add('number', inside);
      walk(inside);
    }
    if ('repository' in value && 'rootName' in value)
      add('lane', `${String(value.repository)}/${String(value.rootName)}`);
  };
  answers.forEach(walk);
  return new Map(Array.from(known, ([name, values]) => [name, [...values]]));
}
