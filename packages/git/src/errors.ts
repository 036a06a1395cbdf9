/** The repository cannot be reached: network, credentials, or no access for our App. Another attempt may succeed later. */
export class RepositoryUnreachableError extends Error {
  override readonly name = 'RepositoryUnreachableError';
  readonly code = 'REPOSITORY_UNREACHABLE';
  /** `owner/name`. */
  readonly repository: string;
  /** The server said no, rather than nothing that makes sense: within seconds it says the same again. */
  readonly isRefused: boolean;

  constructor(repository: string, found: string, options: ErrorOptions & { readonly isRefused?: boolean } = {}) {
    // As curl says it, in git's output.
    const remedy = /SSL certificate problem|certificate verif/i.test(found)
      ? 'name the file of its authority in GIT_SSL_CAINFO'
      : 'check that the App is installed there and that git can reach it';
    super(`expected to fetch from ${repository}, found: ${found}; ${remedy}`, options);
    this.repository = repository;
    this.isRefused = options.isRefused ?? false;
  }
}

/** The server no longer has a revision, for example after a forced push. Another attempt will not bring it back. */
export class RevisionGoneError extends Error {
  override readonly name = 'RevisionGoneError';
  readonly code = 'REVISION_GONE';
  readonly repository: string;
  readonly shas: readonly string[];

  constructor(repository: string, shas: readonly string[], options?: ErrorOptions) {
    super(
      `expected ${repository} to have ${shas.join(', ')}, found that it does not; push the commit again, or deploy another one`,
      options,
    );
    this.repository = repository;
    this.shas = shas;
  }
}

/** A git command failed for any other reason. */
export class GitCommandError extends Error {
  override readonly name = 'GitCommandError';
  readonly code = 'GIT_COMMAND_FAILED';
  /** `fetch`, `diff-tree`, … */
  readonly verb: string;
  readonly exitCode: number;
  /** The end of git's messages, without secrets. */
  readonly output: string;

  constructor(verb: string, exitCode: number, output: string, options?: ErrorOptions) {
    super(`expected git ${verb} to succeed, found exit code ${exitCode}: ${output || 'it said nothing'}`, options);
    this.verb = verb;
    this.exitCode = exitCode;
    this.output = output;
  }
}

/** A git command took too long and was stopped. */
export class GitTimeoutError extends Error {
  override readonly name = 'GitTimeoutError';
  readonly code = 'GIT_TIMEOUT';
  readonly verb: string;

  constructor(verb: string, timeoutMs: number, options?: ErrorOptions) {
    super(`expected git ${verb} to end within ${timeoutMs} ms, found it running and stopped it; try again`, options);
    this.verb = verb;
  }
}

/** A revision has more than is ever read. Another attempt will find the same: its author has to make it smaller. */
export class RevisionTooLargeError extends Error {
  override readonly name = 'RevisionTooLargeError';
  readonly code = 'REVISION_TOO_LARGE';

  /** The three parts of the sentence: expected, found, what to do. */
  constructor(expected: string, found: string, remedy: string, options?: ErrorOptions) {
    super(`expected ${expected}, found ${found}; ${remedy}`, options);
  }
}

/** A revision needs contents that git does not hold, and that are not fetched. Its author or the operators have to act. */
export class ContentAbsentError extends Error {
  override readonly name = 'ContentAbsentError';
  readonly code = 'CONTENT_ABSENT';

  constructor(found: string, remedy: string, options?: ErrorOptions) {
    super(`expected git to hold everything that this root may read, found ${found}; ${remedy}`, options);
  }
}

/** Contents that were asked for are not in the mirror. They can be brought, which takes as long as the network takes. */
export class BlobsMissingError extends Error {
  override readonly name = 'BlobsMissingError';
  readonly code = 'BLOBS_MISSING';
  readonly blobs: readonly string[];

  constructor(blobs: readonly string[], options?: ErrorOptions) {
    super(`expected ${blobs.length} contents in the mirror, found that it lacks them; fetch them first`, options);
    this.blobs = blobs;
  }
}

/** A git command printed more than is ever needed: the repository is too large to keep in memory. */
export class GitOutputLimitError extends Error {
  override readonly name = 'GitOutputLimitError';
  readonly code = 'GIT_OUTPUT_LIMIT';
  readonly verb: string;

  constructor(verb: string, limitBytes: number, options?: ErrorOptions) {
    super(`expected git ${verb} to print at most ${limitBytes} bytes, found more and stopped it`, options);
    this.verb = verb;
  }
}

/** The process that starts commands ended, so the result of this command is lost. */
export class GitLostError extends Error {
  override readonly name = 'GitLostError';
  readonly code = 'GIT_LOST';
  readonly verb: string;

  constructor(verb: string, options?: ErrorOptions) {
    super(`expected git ${verb} to answer, found that the process which started it is gone; try again`, options);
    this.verb = verb;
  }
}

/** A working tree cannot be used again; another one is made. */
export class TreeUnusableError extends Error {
  override readonly name = 'TreeUnusableError';
  readonly code = 'TREE_UNUSABLE';

  constructor(path: string, found: string, options?: ErrorOptions) {
    super(`expected a working tree at ${path}, found ${found}; make another one`, options);
  }
}

/** Another deployment has its tree in the folder, and may be at work there. Another attempt may succeed when it has left. */
export class TreeInUseError extends Error {
  override readonly name = 'TreeInUseError';
  readonly code = 'TREE_IN_USE';

  constructor(deploymentId: string, usedBy: string, options?: ErrorOptions) {
    super(
      `expected the folder of deployment ${deploymentId} to be free, found the tree of deployment ${usedBy} there: it is tried again`,
      options,
    );
  }
}

/** A text that was to become part of a path or of a git command is not a valid name. */
export class InvalidNameError extends Error {
  override readonly name = 'InvalidNameError';
  readonly code = 'INVALID_NAME';

  constructor(expected: string, found: string, options?: ErrorOptions) {
    super(`expected ${expected}, found ${JSON.stringify(found.slice(0, 100))}`, options);
  }
}
