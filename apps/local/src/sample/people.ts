/** Who works on the sample repository, with what they may do there. */
export const PEOPLE = { alice: 'write', bob: 'write', carol: 'admin', mallory: 'read' } as const;

export type Person = keyof typeof PEOPLE;
