/**
 * Reads `terraform { required_version = "…" }` of a root without running Terraform, because it decides which binary may run.
 * Unreadable text counts as no constraint, and Terraform itself then says what is wrong.
 */
import { scanHcl, type Distribution } from '@nereid/hcl';
import { readConfigurationFiles, terraformBlocksOfJson, valuesOf } from '../job/init/configuration-files.ts';

/** The constraints of all files of a root that its program loads, joined by commas; undefined when there is none. */
export async function readRequiredVersion(rootDir: string, distribution: Distribution): Promise<string | undefined> {
  const files = await readConfigurationFiles(rootDir, distribution);
  const constraints = files.flatMap(({ text, isJson }) => (isJson ? constraintsOfJson(text) : constraintsOf(text)));
  return constraints.length === 0 ? undefined : constraints.join(', ');
}

/** The `required_version` of each top-level `terraform` block. */
export function constraintsOf(hcl: string): readonly string[] {
  return [...scanHcl(hcl)].flatMap((part) => {
    const isConstraint = part.kind === 'attribute' && part.within === 'terraform' && part.name === 'required_version';
    return isConstraint ? [part.value] : [];
  });
}

function constraintsOfJson(text: string): readonly string[] {
  return terraformBlocksOfJson(text)
    .flatMap((block) => valuesOf(block, 'required_version'))
    .filter((constraint) => typeof constraint === 'string');
}
