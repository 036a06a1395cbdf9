/** Completion for shells, from what verbs take. Nothing in it comes from anybody but us. Pure. */
import { optionsOf, type VerbDescription } from './verb-description.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export function completionFor(shell: Shell, verbs: readonly VerbDescription[]): string {
  return `${{ bash, zsh, fish }[shell](verbs).join('\n')}\n`;
}

/** Words that may follow an option, by `verb --option`. */
function optionValues(verb: VerbDescription): readonly (readonly [option: string, values: readonly string[]])[] {
  return optionsOf(verb).flatMap(({ name, values }) => (values === undefined ? [] : [[`--${name}`, values] as const]));
}

function wordsOf(verb: VerbDescription): readonly string[] {
  const values = (verb.arguments ?? []).flatMap((argument) => argument.values ?? []);
  return [...values, ...optionsOf(verb).map(({ name }) => `--${name}`)];
}

function bash(verbs: readonly VerbDescription[]): readonly string[] {
  return [
    '# nereid completion bash; for this shell: source <(nereid completion bash)',
    '_nereid() {',
    '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" verb="" words="" each',
    '  for each in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    '    case "$each" in -*) ;; *) verb="$each"; break ;; esac',
    '  done',
    '  case "$verb $before" in',
    ...verbs.flatMap((verb) =>
      optionValues(verb).map(([option, values]) => `    "${verb.name} ${option}") words="${values.join(' ')}" ;;`),
    ),
    '    *)',
    '      case "$verb" in',
    `        "") words="${verbs.map(({ name }) => name).join(' ')} help" ;;`,
    ...verbs.map((verb) => `        ${verb.name}) words="${wordsOf(verb).join(' ')}" ;;`),
    '      esac',
    '      ;;',
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
    '}',
    'complete -o default -F _nereid nereid',
  ];
}

function zsh(verbs: readonly VerbDescription[]): readonly string[] {
  return [
    '#compdef nereid',
    '# nereid completion zsh; for this shell: source <(nereid completion zsh)',
    '_nereid() {',
    '  local verb="" each',
    '  for each in "${(@)words[2,CURRENT-1]}"; do',
    '    case "$each" in -*) ;; *) verb="$each"; break ;; esac',
    '  done',
    '  local -a verbs found',
    '  verbs=(',
    ...verbs.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`),
    '  )',
    '  case "$verb ${words[CURRENT-1]}" in',
    ...verbs.flatMap((verb) =>
      optionValues(verb).map(([option, values]) => `    "${verb.name} ${option}") found=(${values.join(' ')}) ;;`),
    ),
    '    *)',
    '      case "$verb" in',
    '        "") _describe verb verbs; return ;;',
    ...verbs.map((verb) => `        ${verb.name}) found=(${wordsOf(verb).join(' ')}) ;;`),
    '      esac',
    '      ;;',
    '  esac',
    '  compadd -- "${found[@]}"',
    '  _files',
    '}',
    'if [ "$funcstack[1]" = "_nereid" ]; then _nereid; else compdef _nereid nereid; fi',
  ];
}

function fish(verbs: readonly VerbDescription[]): readonly string[] {
  return [
    '# nereid completion fish; for this shell: nereid completion fish | source',
    'complete -c nereid -f',
    ...verbs.flatMap((verb) => [
      `complete -c nereid -n __fish_use_subcommand -a ${verb.name} -d ${quoted(verb.summary)}`,
      ...fishWords(verb),
    ]),
  ];
}

function fishWords(verb: VerbDescription): readonly string[] {
  const of = `complete -c nereid -n '__fish_seen_subcommand_from ${verb.name}'`;
  const values = (verb.arguments ?? []).flatMap((argument) => argument.values ?? []);
  return [
    ...(values.length === 0 ? [] : [`${of} -a '${values.join(' ')}'`]),
    ...optionsOf(verb).map(({ name, short, value, values: allowed, summary }) =>
      [
        `${of} -l ${name}`,
        ...(short === undefined ? [] : [`-s ${short}`]),
        ...(value === undefined ? [] : ['-x']),
        ...(allowed === undefined ? [] : [`-a '${allowed.join(' ')}'`]),
        `-d ${quoted(summary)}`,
      ].join(' '),
    ),
  ];
}

/** For zsh and fish alike, within single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
