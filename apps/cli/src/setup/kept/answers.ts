/** What a set-up has to know, as it is kept: one that was interrupted asks nothing twice. */
import { join } from 'node:path';
import { z } from 'zod';
import { writeNew } from './write-new.ts';

export const ANSWERS_FILE = 'setup.json';

export const TARGETS = ['compose', 'kubernetes'] as const;

/** No secret. */
export const Answers = z.object({
  version: z.literal(1),
  target: z.enum(TARGETS),
  /** Addresses, without a slash at the end. */
  gatewayUrl: z.string(),
  consoleUrl: z.string(),
  githubUrl: z.string(),
  /** Undefined: the App belongs to the person who makes it. */
  organization: z.string().optional(),
  /** Who may ask the doctor and drain hosts, as `login#id`; undefined: the owner of the App, if that is a person. */
  operator: z.string().optional(),
  /** Which repositories may be deployed, like acme/*; undefined: all of the owner of the App. */
  repositories: z.string().optional(),
  /** Where records, plans and logs are kept; undefined: on the disk of the machine. */
  storage: z.string().optional(),
  name: z.string(),
  teams: z.boolean(),
  mergeQueues: z.boolean(),
});
export type Answers = z.infer<typeof Answers>;

/** Does nothing when they are kept already. */
export function keepAnswers(folder: string, answers: Answers): void {
  writeNew(join(folder, ANSWERS_FILE), `${JSON.stringify(answers, undefined, 2)}\n`);
}
