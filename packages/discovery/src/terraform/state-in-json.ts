/** Where `backend` or `cloud` in a `*.tf.json` file says that a state is, so that a block in it equals the same block in a `*.tf` file. */
import type { HclToken } from '@nereid/hcl';
import { placeOfBlock, type StateBlock } from '../states/state-place.ts';
import { blocksIn, blocksOf, isBlock, type Block } from './json-blocks.ts';

/** As in `statePlaceOf`; undefined as well where there are several of them. `settings` are the blocks `terraform` of the file. */
export function stateInJson(settings: readonly Block[]): string | undefined {
  const [block, ...others] = stateBlocksIn(settings);
  return block === undefined || others.length > 0 ? undefined : placeOfBlock(block);
}

function stateBlocksIn(settings: readonly Block[]): readonly StateBlock[] {
  const backends = blocksOf(settings, 'backend').flatMap((backend) =>
    Object.entries(backend).flatMap(([type, bodies]) => blocksIn(bodies).map((body) => ({ type, body }))),
  );
  const clouds = blocksOf(settings, 'cloud').map((body) => ({ type: 'cloud', body }));
  return [...backends, ...clouds].map(({ type, body }) => ({ type, body: settingsOf(body, 0) }));
}

/** A backend has settings in a block in a block at most; JSON may be as deep as its file is long. */
const DEPTH_LIMIT = 5;

/** As the tokens that they would be in Terraform's own language, except for newlines. */
function settingsOf(block: Block, depth: number): readonly HclToken[] {
  return Object.entries(block).flatMap(([name, value]) =>
    name === COMMENT ? [] : [{ kind: 'word', text: name } as const, ...valueOf(value, depth + 1)],
  );
}

/** Terraform skips the values of this key. */
const COMMENT = '//';

function valueOf(value: unknown, depth: number): readonly HclToken[] {
  if (depth > DEPTH_LIMIT) return [NOT_PLAIN];
  if (typeof value === 'string') return [{ kind: 'equals' }, stringOf(value)];
  if (isBlock(value)) return [{ kind: 'open-block' }, ...settingsOf(value, depth), { kind: 'close-block' }];
  if (!Array.isArray(value)) return [{ kind: 'equals' }, { kind: 'word', text: String(value) }];
  const items: readonly unknown[] = value;
  // A block may stand in a list.
  if (items.length === 1 && isBlock(items[0])) return valueOf(items[0], depth);
  return [{ kind: 'open-list' }, ...items.flatMap((item) => valueOf(item, depth + 1)), { kind: 'close-other' }];
}

/** Terraform takes a template in it as it is, OpenTofu evaluates it. */
function stringOf(value: string): HclToken {
  return /[$%]\{/.test(value) ? NOT_PLAIN : { kind: 'string', raw: value, text: value.normalize('NFC') };
}

const NOT_PLAIN: HclToken = { kind: 'unknown' };
