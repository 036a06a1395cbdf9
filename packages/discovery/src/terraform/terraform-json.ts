/** Finds the same facts in a `*.tf.json` file, in which a block is an object or a list of objects. */
import { defined } from '@nereid/domain/defined';
import { blocksIn, blocksOf, isBlock } from './json-blocks.ts';
import { readKeys } from './json-keys.ts';
import { createPathCollector, type PathCollector } from './named-paths.ts';
import { collectFromTemplate, judgeAttribute } from './paths-in-hcl.ts';
import { stateInJson } from './state-in-json.ts';
import { isInRepository, localPathOf, NO_FACTS, SOURCE_LIMIT, type TerraformFacts } from './terraform-facts.ts';

/**
 * Text that is not JSON may name anything. So may an object with a key twice: Terraform takes both for a block, and only the last
 * is known here.
 */
export function readTerraformJson(text: string): TerraformFacts {
  const top = parse(text);
  if (top === undefined) return { ...NO_FACTS, computed: 'text that is not JSON' };
  const keys = readKeys(text);
  const settings = blocksOf(top, 'terraform');
  const sources = blocksOf(top, 'module')
    .flatMap((modules) => Object.keys(modules).flatMap((name) => blocksIn(modules[name])))
    .flatMap((module) => (typeof module['source'] === 'string' ? [module['source']] : []));
  const collector = createPathCollector();
  if (keys.repeated !== undefined) collector.computed(`the key ${JSON.stringify(keys.repeated)} twice in an object`);
  if (sources.some((source) => /[$%]\{/.test(source) || source.length > SOURCE_LIMIT))
    collector.computed('the source of a module');
  collectStrings(top, collector);
  const modules = new Set(
    sources.flatMap((source) => localPathOf(source.slice(0, SOURCE_LIMIT).normalize('NFC')) ?? []),
  );
  const inRepositories = sources.filter(isInRepository);
  return {
    hasBackend:
      settings.some((block) => 'backend' in block || 'cloud' in block) ||
      (keys.repeated !== undefined && ['backend', 'cloud'].some((key) => keys.all.has(key))),
    ...(blocksOf(top, 'provider').length > 0 && { hasProvider: true }),
    ...defined({ state: keys.repeated === undefined ? stateInJson(settings) : undefined }),
    modules: [...modules],
    ...(inRepositories.length > 0 && { inRepositories }),
    ...collector.paths(modules),
  };
}

/** JSON is as deep as its file is long, so what is left stands in a list. */
function collectStrings(top: unknown, collector: PathCollector): void {
  const left: (readonly [name: string, value: unknown])[] = [['', top]];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    const [name, value] = one;
    if (typeof value === 'string') {
      judgeAttribute(name, value, collector);
      collectFromTemplate(value, collector);
    } else if (Array.isArray(value)) for (const each of value) left.push([name, each]);
    else if (isBlock(value))
      for (const entry of Object.entries(value)) {
        const [key] = entry;
        if (key === 'provisioner' || (name === 'data' && key === 'external'))
          collector.opaque('data.external or a provisioner');
        collectFromTemplate(key, collector);
        left.push(entry);
      }
  }
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
