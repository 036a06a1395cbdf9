/** Failures of this package. Callers decide by `code` which of them are worth another attempt. */
import type { Root } from '@nereid/domain/root';

export type Distribution = Root['distribution'];

/** There is no binary of the distribution at all, and none may be downloaded. For the operator. */
export class BinaryMissingError extends Error {
  override readonly name = 'BinaryMissingError';
  readonly code = 'BINARY_MISSING';
  readonly distribution: Distribution;

  constructor(distribution: Distribution, wanted: string, options?: ErrorOptions) {
    super(
      `expected ${distribution} (${wanted}) in PATH or in the cache, found none, and downloads are off: ` +
        `install ${distribution} on the worker or turn terraform.downloads on`,
      options,
    );
    this.distribution = distribution;
  }
}

/** No binary of the wanted version is available. For the author of the root, or for the operator. */
export class VersionUnavailableError extends Error {
  override readonly name = 'VersionUnavailableError';
  readonly code = 'VERSION_UNAVAILABLE';
  readonly distribution: Distribution;
  /** A version or a constraint. */
  readonly wanted: string;
  /** The versions that are available. */
  readonly found: readonly string[];

  constructor(
    distribution: Distribution,
    wanted: string,
    found: readonly string[],
    toDo: string,
    options?: ErrorOptions,
  ) {
    const has = found.length === 0 ? 'none' : found.join(', ');
    super(`expected ${distribution} ${wanted}, found ${has}: ${toDo}`, options);
    this.distribution = distribution;
    this.wanted = wanted;
    this.found = found;
  }
}

/** A downloaded file is not the one that was published. Nothing was installed. For the operator. */
export class ChecksumMismatchError extends Error {
  override readonly name = 'ChecksumMismatchError';
  readonly code = 'CHECKSUM_MISMATCH';
  readonly url: string;
  readonly expected: string;
  readonly found: string;

  constructor(url: string, expected: string, found: string, options?: ErrorOptions) {
    super(
      `expected ${url} to have the SHA-256 sum ${expected}, found ${found}: nothing was installed; check the mirror and the network in between`,
      options,
    );
    this.url = url;
    this.expected = expected;
    this.found = found;
  }
}

/** The published sums are not signed by the vendor, so they say nothing about a file. Nothing was installed. For the operator. */
export class SumsNotSignedError extends Error {
  override readonly name = 'SumsNotSignedError';
  readonly code = 'SUMS_NOT_SIGNED';
  readonly url: string;

  constructor(
    url: string,
    fingerprint: string,
    found: string,
    toDo = 'check the mirror and the network in between',
    options?: ErrorOptions,
  ) {
    super(
      `expected ${url} to be signed by the OpenPGP key ${fingerprint}, found ${found}: nothing was installed; ${toDo}`,
      options,
    );
    this.url = url;
  }
}

/** A download failed for a reason that may pass. */
export class DownloadFailedError extends Error {
  override readonly name = 'DownloadFailedError';
  readonly code = 'DOWNLOAD_FAILED';
  readonly url: string;
  /** Absent when there was no answer. */
  readonly status: number | undefined;

  constructor(url: string, found: string, status?: number, options?: ErrorOptions) {
    super(`expected to download ${url}, found ${found}: check that the worker can reach it`, options);
    this.url = url;
    this.status = status;
  }
}

/** A step's program could not be started at all: the host's fault, so another host may do better. */
export class StepNotStartedError extends Error {
  override readonly name = 'StepNotStartedError';
  readonly code = 'STEP_NOT_STARTED';
  readonly step: string;

  constructor(step: string, why: string, options?: ErrorOptions) {
    super(`expected to start the step ${step}, found that ${why}: check this host's installation and disk`, options);
    this.step = step;
  }
}

/** The receiver of a job's output failed. The plan is made again rather than kept without its log. */
export class LogFailedError extends Error {
  override readonly name = 'LogFailedError';
  readonly code = 'LOG_FAILED';

  constructor(step: string, options?: ErrorOptions) {
    super(
      `expected the log to take the output of the step ${step}, found that it failed: check the log's storage`,
      options,
    );
  }
}

/** No step of the apply began on this host, so nothing was applied, and this host or another one may try again. */
export class ApplyNotBegunError extends Error {
  override readonly name = 'ApplyNotBegunError';
  readonly code = 'APPLY_NOT_BEGUN';

  constructor(why: string, options?: ErrorOptions) {
    super(`nothing was applied, because the apply could not begin on this host: ${why}`, options);
  }
}

/** An apply starts at most once. This one was started or given up before: look at what it left instead. */
export class ApplyAlreadyStartedError extends Error {
  override readonly name = 'ApplyAlreadyStartedError';
  readonly code = 'APPLY_ALREADY_STARTED';
  readonly folder: string;

  constructor(folder: string, options?: ErrorOptions) {
    super(
      `expected no apply in ${folder}, found the marker of one: it is never started twice; follow the one that ran`,
      options,
    );
    this.folder = folder;
  }
}

/** A provider's package in the shared cache has changed. It was removed, and is downloaded again. For the operator. */
export class CachedPackageChangedError extends Error {
  override readonly name = 'CachedPackageChangedError';
  readonly code = 'CACHED_PACKAGE_CHANGED';

  constructor(folder: string, found: string, options?: ErrorOptions) {
    super(
      `expected the files of ${folder} to have the hash that it is named after, found ${found}: it was removed; ` +
        `check the disk, and the processes of the worker's user`,
      options,
    );
  }
}

/** A provider's package holds something other than files and folders, such as a link. It is not shared. */
export class PackageNotPlainError extends Error {
  override readonly name = 'PackageNotPlainError';
  readonly code = 'PACKAGE_NOT_PLAIN';

  constructor(folder: string, entry: string, options?: ErrorOptions) {
    super(
      `expected only files and folders in the package ${folder}, found ${JSON.stringify(entry)}: it is not shared`,
      options,
    );
  }
}

/** There is no conftest, and none may be downloaded, so policies cannot be evaluated. For the operator. */
export class ConftestMissingError extends Error {
  override readonly name = 'ConftestMissingError';
  readonly code = 'CONFTEST_MISSING';

  constructor(why: string, options?: ErrorOptions) {
    super(`expected conftest in PATH or in the cache, found none, and ${why}; install conftest on the worker`, options);
  }
}
