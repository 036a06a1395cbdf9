import type { Person } from './person.ts';

/** The people behind a change: none of them is a second pair of eyes. */
export interface Contributors {
  /** Each once, the author of the revision first. */
  readonly people: readonly Person[];
  /** Whether there are people behind it whom the forge does not know, or more than it lists. */
  readonly hasUnknown: boolean;
}

/** The people of several changes. */
export function together(all: readonly Contributors[]): Contributors {
  const people = all.flatMap((some) => some.people);
  return {
    people: [...new Map(people.map((person) => [JSON.stringify([person.login, person.id]), person])).values()],
    hasUnknown: all.some(({ hasUnknown }) => hasUnknown),
  };
}
