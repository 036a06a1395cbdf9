import type { Environment } from '@nereid/test-kit';
import type { StorageKind } from './stack/storage.ts';

export type Arguments =
  | { readonly kind: 'ok'; readonly once: boolean; readonly storage: StorageKind }
  | { readonly kind: 'invalid'; readonly message: string };

const USAGE = `usage: make demo [ARGS=--once] [STORAGE=s3]

  --once      play the whole story without a person, in a folder of its own that is removed at the end
  STORAGE     folder (default) or s3: where records, plans, logs and audit events are kept`;

export function readArguments(args: readonly string[], env: Environment): Arguments {
  const unknown = args.find((arg) => arg !== '--once');
  if (unknown !== undefined)
    return { kind: 'invalid', message: `expected --once or nothing, found ${unknown}\n\n${USAGE}` };
  const storage = env['STORAGE'] === undefined || env['STORAGE'] === '' ? 'folder' : env['STORAGE'];
  if (storage === 'folder' || storage === 's3') return { kind: 'ok', once: args.length > 0, storage };
  return { kind: 'invalid', message: `expected STORAGE to be folder or s3, found ${storage}\n\n${USAGE}` };
}
