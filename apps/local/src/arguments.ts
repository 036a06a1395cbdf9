import type { Environment } from '@nereid/test-kit';
import type { StorageKind } from './stack/storage.ts';

export type Arguments =
  | {
      readonly kind: 'play';
      readonly play: 'demo' | 'once';
      readonly hasHistory: boolean;
      readonly storage: StorageKind;
    }
  | { readonly kind: 'reset' }
  | { readonly kind: 'invalid'; readonly message: string };

const USAGE = `usage: make demo [ARGS=--once|--history] [STORAGE=s3]
       make demo-reset

  --history   make up a week of deployments in three more repositories, for the pages that look back
  --once      play the whole story without a person, in a folder of its own that is removed at the end
  STORAGE     folder (default) or s3: where records, plans, logs and audit events are kept; s3 needs Python 3`;

const KNOWN: readonly string[] = ['--once', '--history', '--reset'];

export function readArguments(args: readonly string[], env: Environment): Arguments {
  const [only, ...more] = args;
  if (more.length > 0 || !(only === undefined || KNOWN.includes(only))) {
    return { kind: 'invalid', message: `expected --once, --history or nothing, found ${args.join(' ')}\n\n${USAGE}` };
  }
  if (only === '--reset') return { kind: 'reset' };
  const storage = env['STORAGE'] === undefined || env['STORAGE'] === '' ? 'folder' : env['STORAGE'];
  if (storage === 'folder' || storage === 's3') {
    return { kind: 'play', play: only === '--once' ? 'once' : 'demo', hasHistory: only === '--history', storage };
  }
  return { kind: 'invalid', message: `expected STORAGE to be folder or s3, found ${storage}\n\n${USAGE}` };
}
