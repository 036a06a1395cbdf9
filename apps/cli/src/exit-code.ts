/** How `nereid` ends, for scripts. `nereid config check` has the first three. */
export const EXIT = {
  done: 0,
  /** Nereid said no, with a sentence; of a configuration: it has problems. */
  refused: 1,
  wrongUsage: 2,
  notFound: 3,
  notLoggedIn: 4,
  /** The console is away, or cannot answer now. */
  notNow: 5,
  /** The deployment that was waited for was not applied. */
  failed: 6,
  timedOut: 7,
  /** Another plan than the one that was answered waits for a review. */
  plannedAgain: 8,
  /** As sysexits.h has it. */
  bug: 70,
  /** As a shell says of Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The same for people, in `nereid --help`. */
export const EXIT_MEANINGS: readonly (readonly [ExitCode, string])[] = [
  [EXIT.done, 'done'],
  [EXIT.refused, 'refused by Nereid, or problems in a configuration'],
  [EXIT.wrongUsage, 'wrong usage'],
  [EXIT.notFound, 'not found, or not visible to you'],
  [EXIT.notLoggedIn, 'not logged in'],
  [EXIT.notNow, 'the console, or GitHub, does not answer, or not now'],
  [EXIT.failed, 'a deployment that was waited for was not applied'],
  [EXIT.timedOut, 'no end within --timeout'],
  [EXIT.plannedAgain, 'another plan than the one that was confirmed waits for a review'],
  [EXIT.bug, 'a fault of nereid itself: please report it'],
  [EXIT.interrupted, 'Ctrl-C'],
];

/** Ends the program with this code, and the message on stderr; an empty one says nothing. The message may be hostile. */
export class ExitError extends Error {
  override readonly name = 'ExitError';
  readonly code = 'EXIT';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

export function wrongUsage(message: string): ExitError {
  return new ExitError(EXIT.wrongUsage, message);
}
