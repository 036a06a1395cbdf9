/** Keys as our code spells them: `plan_review` is `planReview`. A key without a value is left out. */
export function camelKeys<Written extends object>(written: Written): CamelKeys<Written> {
  const named = Object.entries(written).map(([key, value]: [string, unknown]) => [camelCase(key), value] as const);
  return Object.fromEntries(named.filter(([, value]) => value !== undefined)) as CamelKeys<Written>; // As its type has it.
}

export type CamelKeys<Written extends object> = {
  readonly [Key in keyof Written as CamelCase<Key & string>]: Readonly<Exclude<Written[Key], undefined>>;
};

type CamelCase<Key extends string> = Key extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Key;

export function camelCase(key: string): string {
  return key.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
}
