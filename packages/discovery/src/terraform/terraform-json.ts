/** Finds the same facts in a `*.tf.json` file, in which a block is an object or a list of objects. */
import { isLocalSource, type TerraformFacts } from './terraform-facts.ts';

/** Text that is not JSON has no facts; the plan will say what is wrong with it. */
export function readTerraformJson(text: string): TerraformFacts {
  const top = parse(text);
  const settings = blocksOf(top, 'terraform');
  const sources = blocksOf(top, 'module')
    .flatMap((modules) => Object.keys(modules).flatMap((name) => blocksOf(modules, name)))
    .map((module) => module['source']);
  return {
    hasBackend: settings.some((block) => 'backend' in block || 'cloud' in block),
    modules: [...new Set(sources.filter((source) => typeof source === 'string').filter(isLocalSource))],
  };
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
