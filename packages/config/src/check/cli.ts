/** The part of `nereid` that asks no console: checks configuration files, prints their schemas for editors, makes keys. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { checkFile } from './check-file.ts';
import { foundAt } from '../environment/unreadable.ts';
import { makeIssuerFiles } from './issuer-files.ts';
import { makeKeys } from './make-keys.ts';
import { makeToken, type TokenOptions } from './make-token.ts';
import { jsonSchemaOf, SCHEMAS } from './json-schema.ts';

const HELP = `Usage:
  nereid config check [file]                  say what is wrong with a configuration file
  nereid config schema server|repository      print its JSON Schema, for editors
  nereid keys <folder>                        make all keys of an installation that are not there yet
  nereid keys <folder> <pool>                 make those of a pool of hosts, and print its entry for the server's file
  nereid identity <url> <key file> <folder>   write what clouds read below the URL of an issuer, for a site of files
  nereid token <name> --login LOGIN           make a token for a script that acts for this GitHub login, and print it once
    [--scopes read,deploy] [--repositories acme/*] [--expires 2027-01-31]

The file is nereid.server.yaml (the default), nereid.yaml or atlantis.yaml, told apart by its name, else by its keys.
A repository's file is checked without its server: which overrides it may use is not known here.

Exit code: 0 no problems, 1 problems, 2 wrong usage, or a file that cannot be read or told apart.
`;

/** Prints, and returns the exit code. */
export async function runCli(args: readonly string[]): Promise<0 | 1 | 2> {
  const parsed = parse(args);
  if (parsed.kind === 'wrong') return wrongUsage(parsed.why);
  if (parsed.help) return print(HELP);
  const [noun, verb, subject, ...others] = parsed.positionals;
  if (noun === 'identity' && others.length < 2) return identity(verb, subject, others[0]);
  if (noun === 'keys' && others.length === 0) return keys(verb, subject);
  if (noun === 'token' && subject === undefined) return token(verb, parsed.options);
  if (noun !== 'config' || others.length > 0)
    return wrongUsage(
      'expected "config check [file]", "config schema <name>", "keys <folder> [pool]", "identity <url> <key file> <folder>" or "token <name>"',
    );
  if (verb === 'check') return check(subject ?? 'nereid.server.yaml');
  if (verb === 'schema') return schema(subject);
  return wrongUsage(`expected check or schema after "config", found ${verb ?? 'nothing'}`);
}

type Arguments =
  | {
      readonly kind: 'ok';
      readonly help: boolean;
      readonly positionals: readonly string[];
      readonly options: TokenOptions;
    }
  | { readonly kind: 'wrong'; readonly why: string };

function parse(args: readonly string[]): Arguments {
  try {
    const text = { type: 'string' } as const;
    const help = { type: 'boolean', short: 'h', default: false } as const;
    const options = { help, login: text, scopes: text, repositories: text, expires: text };
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    return { kind: 'ok', help: values.help || positionals.length === 0, positionals, options: values };
  } catch (error) {
    return { kind: 'wrong', why: error instanceof Error ? error.message : String(error) };
  }
}

function check(path: string): 0 | 1 | 2 {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return wrongUsage(`expected a configuration file, found ${foundAt(path, error)}; name the file to check`);
  }
  const checked = checkFile(path, text);
  if (checked.kind === 'unclear') return wrongUsage(checked.why);
  print(`${checked.lines.join('\n')}\n`);
  return checked.isValid ? 0 : 1;
}

async function keys(folder: string | undefined, pool: string | undefined): Promise<0 | 2> {
  if (folder === undefined) return wrongUsage('expected a folder after "keys", found nothing');
  const made = await makeKeys(folder, pool);
  return made.kind === 'made' ? print(`${[...made.files, '', ...made.guide].join('\n')}\n`) : wrongUsage(made.why);
}

async function identity(url?: string, keyFile?: string, folder?: string): Promise<0 | 2> {
  if (url === undefined || keyFile === undefined || folder === undefined)
    return wrongUsage('expected a URL, the file of a public key and a folder after "identity", found fewer');
  const made = await makeIssuerFiles(url, keyFile, folder);
  return made.kind === 'made' ? print(`${made.lines.join('\n')}\n`) : wrongUsage(made.why);
}

function token(name: string | undefined, options: TokenOptions): 0 | 2 {
  if (name === undefined) return wrongUsage('expected a name after "token", found nothing');
  const made = makeToken(name, options);
  return made.kind === 'made' ? print(`${made.lines.join('\n')}\n`) : wrongUsage(made.why);
}

function schema(name: string | undefined): 0 | 2 {
  if (name !== 'server' && name !== 'repository') {
    return wrongUsage(
      `expected ${Object.keys(SCHEMAS).join(' or ')} after "config schema", found ${name ?? 'nothing'}`,
    );
  }
  return print(`${JSON.stringify(jsonSchemaOf(name), undefined, 2)}\n`);
}

function print(text: string): 0 {
  process.stdout.write(text);
  return 0;
}

function wrongUsage(why: string): 2 {
  process.stderr.write(`${why}\nnereid --help says more\n`);
  return 2;
}
