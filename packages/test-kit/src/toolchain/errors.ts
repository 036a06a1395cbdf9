/** None of the ways to get a program worked. The message lists every one with its reason. */
export class ToolNotFoundError extends Error {
  override readonly name = 'ToolNotFoundError';
  readonly code = 'TOOL_NOT_FOUND';
  readonly tool: string;
  readonly reasons: readonly string[];

  constructor(tool: string, reasons: readonly string[], advice: string, options?: ErrorOptions) {
    super(
      `${tool} was not found and could not be installed:\n${reasons.map((why) => `  - ${why}`).join('\n')}\n${advice}`,
      options,
    );
    this.tool = tool;
    this.reasons = reasons;
  }
}

/** A download did not arrive, or is not the file that was published. Nothing of it is kept. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
  readonly code = 'DOWNLOAD_FAILED';
  readonly url: string;

  constructor(url: string, why: string, options?: ErrorOptions) {
    super(`download of ${url}: ${why}`, options);
    this.url = url;
  }
}

/** An installation failed, or a program that it needs is missing or failed. */
export class InstallError extends Error {
  override readonly name = 'InstallError';
  readonly code = 'INSTALL_FAILED';
}
