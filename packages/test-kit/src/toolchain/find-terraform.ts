/**
 * The sources of Terraform for the demo and the tests, in this order: `terraform` or `tofu` on PATH if recent enough; our
 * cache; the vendor's download with its checksum; `go install`.
 */
import path from 'node:path';
import { cachedTool } from './cached-tool.ts';
import { toolCache, type Environment } from './environment.ts';
import { findTool, type Way } from './find-tool.ts';
import { probe } from './probe.ts';
import type { Report } from './report.ts';

export interface TerraformSearch {
  readonly env: Environment;
  readonly report: Report;
  /** Ends the search early, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The address of archives; `{platform}` stands for Go's name of the machine. Default: the vendor's releases. */
  readonly archive?: string;
}

/** The newest version that `go install` builds; the download has the same version, so that both ways give the same program. */
const PIN = {
  version: '1.5.7',
  module: 'github.com/hashicorp/terraform',
  archive: 'https://releases.hashicorp.com/terraform/1.5.7/terraform_1.5.7_{platform}.zip',
  sha256: {
    linux_amd64: 'c0ed7bc32ee52ae255af9982c8c88a7a4c610485cf1d55feeb037eab75fa082c',
    linux_arm64: 'f4b4ad7c6b6088960a667e34495cae490fb072947a9ff266bf5929f5333565e4',
    darwin_amd64: 'b310ec0e626e9799000cfc8e30247cd827cf7f8030c8e0400257c7f111e93537',
    darwin_arm64: 'db7c33eb1a446b73a443e2c55b532845f7b70cd56100bec4c96f15cfab5f50cb',
  },
} as const;

/** The sample's roots need the built-in `terraform_data`. */
const OLDEST = '1.4.0';

/** Finds or installs Terraform or OpenTofu and returns its path. Throws `ToolNotFoundError`, which says why each way failed. */
export async function findTerraform(search: TerraformSearch): Promise<string> {
  const { env, report, signal, archive = PIN.archive } = search;
  const folder = path.join(toolCache(env), `terraform-${PIN.version}`);
  const cached = cachedTool({ ...PIN, program: 'terraform', folder, archive, env, report, signal });
  return findTool({
    tool: 'Terraform',
    ways: [onPath('terraform', env), onPath('tofu', env), cached.fromCache, cached.fromDownload, cached.fromGo],
    advice: 'Install Terraform or OpenTofu so that it is on PATH, or install Go and try again.',
    report,
    signal,
  });
}

/** `Terraform v1.11.4` or `OpenTofu v1.10.0`; lines about newer versions may follow. */
function onPath(program: string, env: Environment): Way {
  return {
    title: `${program} on PATH`,
    attempt: () => probe({ program, arguments: ['version'], version: /^\w+ v(\d+\.\d+\.\d+)/, oldest: OLDEST, env }),
  };
}
