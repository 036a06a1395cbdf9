import { chmod, rm } from 'node:fs/promises';
import path from 'node:path';
import { download } from './download.ts';
import type { Environment } from './environment.ts';
import type { Attempt, Way } from './find-tool.ts';
import { goInstall, whyNoGo } from './go-install.ts';
import { exists, installOnce } from './install-once.ts';
import { goPlatform } from './platform.ts';
import { withElapsed, type Report } from './report.ts';
import { runTool } from './run-tool.ts';
import { unzipOne } from './unzip.ts';

/** A program, and the folder of the cache where it is kept. */
interface KeptTool {
  readonly program: string;
  readonly folder: string;
  readonly version: string;
  readonly env: Environment;
  readonly report: Report;
  /** Ends an installation early, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** One from one Go module. */
export interface GoTool extends KeptTool {
  /** The path of the program within its module, too, where it is not at the top. */
  readonly module: string;
}

/** One that its vendor publishes as an archive. */
export interface PublishedTool extends KeptTool {
  /** The address of a `.tar.gz` or a `.zip`; `{platform}` stands for Go's name of the machine. */
  readonly archive: string;
  /** 64 hex digits, by Go's name of the machine. */
  readonly sha256: Readonly<Record<string, string>>;
}

/** An archive of 100 MB unpacks in seconds; a slow disk may take a minute. */
const UNPACK_TIMEOUT_MS = 120_000;

export type CachedTool = GoTool & PublishedTool;

/** The three ways to get a program that we keep ourselves: from the cache, by download, by a build. */
export function cachedTool(tool: CachedTool): { fromCache: Way; fromDownload: Way; fromGo: Way } {
  return { ...goTool(tool), ...publishedTool(tool) };
}

export function publishedTool(tool: PublishedTool): { fromCache: Way; fromDownload: Way } {
  return {
    fromCache: { title: 'the cache', attempt: () => lookUp(tool) },
    fromDownload: { title: 'the official download', attempt: () => fetchArchive(tool) },
  };
}

export function goTool(tool: GoTool): { fromCache: Way; fromGo: Way } {
  return {
    fromCache: { title: 'the cache', attempt: () => lookUp(tool) },
    fromGo: { title: 'go install', attempt: () => build(tool) },
  };
}

async function lookUp({ folder, program, version }: KeptTool): Promise<Attempt> {
  const file = path.join(folder, program);
  if (await exists(file)) return { kind: 'found', path: file, what: `version ${version}` };
  return { kind: 'not-found', why: `nothing at ${file}`, isAbsent: true };
}

async function fetchArchive(tool: PublishedTool): Promise<Attempt> {
  const { program, folder, version, archive, report, signal } = tool;
  const platform = goPlatform();
  const sha256 = tool.sha256[platform];
  if (sha256 === undefined) return { kind: 'not-found', why: `no checksum of an archive for ${platform} is known` };

  const url = archive.replace('{platform}', platform);
  await withElapsed(report, `downloading ${program} ${version}`, () =>
    installOnce({ folder, report, signal, install: (staging) => unpack(tool, url, sha256, staging) }),
  );
  return lookUp(tool);
}

async function unpack(
  { program, env, signal }: PublishedTool,
  url: string,
  sha256: string,
  staging: string,
): Promise<void> {
  const archive = path.join(staging, 'archive');
  const target = path.join(staging, program);
  const untar = ['tar', '-xzf', archive, '-C', staging, program] as const;
  await download({ url, sha256, file: archive, signal });
  if (url.endsWith('.zip')) await unzipOne(archive, program, target);
  else await runTool({ argv: untar, env, timeoutMs: UNPACK_TIMEOUT_MS, signal });
  await chmod(target, 0o755);
  await rm(archive);
}

async function build(tool: GoTool): Promise<Attempt> {
  const { program, folder, version, module, env, report, signal } = tool;
  const noGo = await whyNoGo(env);
  if (noGo !== undefined) return { kind: 'not-found', why: noGo };

  await withElapsed(report, `building ${program} ${version} with Go, which takes minutes the first time`, () =>
    installOnce({
      folder,
      report,
      signal,
      install: (staging) => goInstall({ module, version, folder: staging, env, signal }),
    }),
  );
  return lookUp(tool);
}
