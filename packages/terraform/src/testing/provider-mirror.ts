/** Providers to install without a network: zips in a folder that Terraform takes for a mirror. Their programs do nothing. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { platform } from '../binary/sources.ts';

export interface ProviderMirror {
  /** For `TF_CLI_CONFIG_FILE`. */
  readonly configFile: string;
  /** What is there of this provider from here on; `null`: a zip that nobody can unpack. */
  offer(type: string, program: string | null): Promise<void>;
}

export const DEMO_VERSION = '1.2.3';

/** What a root needs to be given `registry.terraform.io/hashicorp/<type>`. */
export function rootWith(...types: readonly string[]): string {
  const required = types.map((type) => `    ${type} = { source = "hashicorp/${type}" }\n`).join('');
  return `terraform {\n  required_providers {\n${required}  }\n}\n`;
}

export async function aProviderMirror(folder: string): Promise<ProviderMirror> {
  const home = path.join(folder, 'mirror', 'registry.terraform.io', 'hashicorp');
  const configFile = path.join(folder, 'terraform.rc');
  const source = `filesystem_mirror {\n    path = "${path.join(folder, 'mirror')}"\n  }`;
  await writeFile(configFile, `provider_installation {\n  ${source}\n}\n`);
  return {
    configFile,
    async offer(type, program) {
      const name = `terraform-provider-${type}_${DEMO_VERSION}_${platform()}.zip`;
      await mkdir(path.join(home, type), { recursive: true });
      await writeFile(path.join(home, type, name), program === null ? 'no zip' : aPackage(type, program));
    },
  };
}

/** Executable, as publishers pack it, or not. */
function aPackage(type: string, program: string): Uint8Array {
  const executable = { os: 3, attrs: 0o100755 << 16 };
  return zipSync({
    [`terraform-provider-${type}_v${DEMO_VERSION}`]: [strToU8(program), executable],
    'docs/LICENSE.txt': strToU8('free'),
  });
}
