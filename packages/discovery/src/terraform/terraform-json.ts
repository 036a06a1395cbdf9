/** Finds the same facts in a `*.tf.json` file, in which a block is an object or a list of objects. */
import { createPathCollector, isPlain, type PathCollector } from './named-paths.ts';
import { collectFromTemplate, judgeAttribute } from './paths-in-hcl.ts';
import { isLocalSource, type TerraformFacts } from './terraform-facts.ts';

/** Text that is not JSON has no facts; the plan will say what is wrong with it. */
export function readTerraformJson(text: string): TerraformFacts {
  const top = parse(text);
  const settings = blocksOf(top, 'terraform');
  const sources = blocksOf(top, 'module')
    .flatMap((modules) => Object.keys(modules).flatMap((name) => blocksOf(modules, name)))
    .flatMap((module) => (typeof module['source'] === 'string' ? [module['source']] : []));
  const collector = createPathCollector();
  if (!sources.every(isPlain)) collector.computed('the source of a module');
  if (hasOpaqueBlock(top)) collector.opaque('data.external or a provisioner');
  collectStrings(top, collector);
  const modules = new Set(sources.filter(isLocalSource));
  return {
    hasBackend: settings.some((block) => 'backend' in block || 'cloud' in block),
    modules: [...modules],
    ...collector.paths(modules),
  };
}

function hasOpaqueBlock(top: Block): boolean {
  if (blocksOf(top, 'data').some((block) => 'external' in block)) return true;
  const types = blocksOf(top, 'resource').flatMap((block) =>
    Object.keys(block).flatMap((type) => blocksOf(block, type)),
  );
  const resources = types.flatMap((block) => Object.keys(block).flatMap((name) => blocksOf(block, name)));
  return resources.some((block) => 'provisioner' in block);
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
    else if (isBlock(value)) for (const entry of Object.entries(value)) left.push(entry);
  }
}

type Block = Readonly<Record<string, unknown>>;

function parse(text: string): Block {
  try {
    const value: unknown = JSON.parse(text);
    return isBlock(value) ? value : NOTHING;
  } catch {
    return NOTHING;
  }
}

const NOTHING: Block = {};

function blocksOf(block: Block, key: string): readonly Block[] {
  const value = Object.hasOwn(block, key) ? block[key] : undefined;
  return (Array.isArray(value) ? value : [value]).filter(isBlock);
}

function isBlock(value: unknown): value is Block {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
