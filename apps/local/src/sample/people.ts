/** The people who work on the sample repository, with their permissions. */
export const PEOPLE = { alice: 'write', bob: 'write', carol: 'admin', mallory: 'read' } as const;

export type Person = keyof typeof PEOPLE;

/** In whose name the console of this machine acts. */
export const LOCAL_PERSON: Person = 'alice';
