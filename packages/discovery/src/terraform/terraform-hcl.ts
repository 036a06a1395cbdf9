/** Finds the facts that discovery needs in a file in Terraform's language: whether it has a backend, and its local modules. */
import { scanHcl } from '@nereid/hcl';
import { isLocalSource, type TerraformFacts } from './terraform-facts.ts';

export function readTerraformHcl(text: string): TerraformFacts {
  let hasBackend = false;
  const modules = new Set<string>();
  for (const part of scanHcl(text)) {
    if (part.kind === 'block')
      hasBackend ||= part.within === 'terraform' && (part.type === 'backend' || part.type === 'cloud');
    else if (part.within === 'module' && part.name === 'source' && isLocalSource(part.value)) modules.add(part.value);
  }
  return { hasBackend, modules: [...modules] };
}
