/** The fields that are there: an optional field is left out, where `undefined` would be another thing than nothing. */
export function defined<const Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>; // Without the others.
}

export type Defined<Fields extends object> = {
  [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key];
} & {
  [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Exclude<Fields[Key], undefined>;
};

/**
 * All fields of a type, those that it may lack among them: a new one does not compile until somebody has decided what becomes of it.
 * `defined<EachOf<Whole>>({…})` is then a `Whole`.
 */
export type EachOf<Whole extends object> = {
  readonly [Key in keyof Required<Whole>]: Partial<Pick<Whole, Key>> extends Pick<Whole, Key>
    ? Whole[Key] | undefined
    : Whole[Key];
};
