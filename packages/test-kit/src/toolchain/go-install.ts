import type { Environment } from './environment.ts';
import { runTool } from './run-tool.ts';

export interface GoInstall {
  readonly module: string;
  readonly version: string;
  /** Where the program goes. */
  readonly folder: string;
  readonly env: Environment;
  /** Ends the build early, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A build takes two and a half minutes on two cores; a slow line and a single core may take eight times that. */
const BUILD_TIMEOUT_MS = 20 * 60_000;
const VERSION_TIMEOUT_MS = 30_000;

/** Undefined when Go is installed, else a sentence that says why it cannot be used. */
export async function whyNoGo(env: Environment): Promise<string | undefined> {
  try {
    await runTool({ argv: ['go', 'version'], env, timeoutMs: VERSION_TIMEOUT_MS });
    return undefined;
  } catch (error) {
    return `Go is not installed (${error instanceof Error ? error.message : String(error)})`;
  }
}

/** `go install <module>@v<version>` into a folder. With Go's own module and build caches, a second build takes seconds. */
export async function goInstall({ module, version, folder, env, signal }: GoInstall): Promise<void> {
  const argv = ['go', 'install', `${module}@v${version}`] as const;
  await runTool({ argv, env: { ...env, GOBIN: folder }, timeoutMs: BUILD_TIMEOUT_MS, signal });
}
