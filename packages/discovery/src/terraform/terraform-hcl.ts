/** Finds the facts that discovery needs in a file in Terraform's language: a backend, its local modules, the paths that it names. */
import { scanHcl } from '@nereid/hcl';
import { createPathCollector } from './named-paths.ts';
import { collectPaths } from './paths-in-hcl.ts';
import { isLocalSource, type TerraformFacts } from './terraform-facts.ts';

export function readTerraformHcl(text: string): TerraformFacts {
  let hasBackend = false;
  const modules = new Set<string>();
  const collector = createPathCollector();
  for (const part of scanHcl(text)) {
    if (part.kind === 'block')
      hasBackend ||= part.within === 'terraform' && (part.type === 'backend' || part.type === 'cloud');
    else if (part.within === 'module' && part.name === 'source') {
      if (part.kind === 'expression') collector.computed('the source of a module');
      else if (isLocalSource(part.value)) modules.add(part.value);
    }
  }
  collectPaths(text, collector);
  return { hasBackend, modules: [...modules], ...collector.paths(modules) };
}
