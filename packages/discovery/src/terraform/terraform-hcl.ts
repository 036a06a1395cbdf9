/** Finds the facts that discovery needs in a file in Terraform's language: a backend, its local modules, the paths that it names. */
import { defined } from '@nereid/domain/defined';
import { scanHcl } from '@nereid/hcl';
import { createPathCollector } from './named-paths.ts';
import { collectPaths } from './paths-in-hcl.ts';
import { statePlaceOf } from '../states/state-place.ts';
import { isInRepository, localPathOf, type TerraformFacts } from './terraform-facts.ts';

export function readTerraformHcl(text: string): TerraformFacts {
  let hasBackend = false;
  let hasProvider = false;
  const modules = new Set<string>();
  const inRepositories = new Set<string>();
  const collector = createPathCollector();
  for (const part of scanHcl(text)) {
    if (part.kind === 'block') {
      hasBackend ||= part.within === 'terraform' && (part.type === 'backend' || part.type === 'cloud');
      hasProvider ||= part.within === undefined && part.type === 'provider';
    } else if (part.within === 'module' && part.name === 'source') {
      const path = part.kind === 'attribute' ? localPathOf(part.value) : undefined;
      if (part.kind === 'expression') collector.computed('the source of a module');
      else if (path !== undefined) modules.add(path);
      else if (isInRepository(part.value)) inRepositories.add(part.value);
    }
  }
  collectPaths(text, collector);
  const state = hasBackend ? statePlaceOf(text) : undefined;
  return {
    hasBackend,
    ...(hasProvider && { hasProvider }),
    ...defined({ state }),
    modules: [...modules],
    ...(inRepositories.size > 0 && { inRepositories: [...inRepositories] }),
    ...collector.paths(modules),
  };
}
