/** Words that stand together in a file: a paragraph, an item of a list, a cell of a table, a comment or a string. */
export interface Passage {
  readonly kind: 'paragraph' | 'cell' | 'comment' | 'string';
  /** Without marks of Markdown; each piece of code counts as one word. */
  readonly text: string;
}

/** Replaces code, addresses and marks, whose words are not English. */
export function plainText(markdown: string): string {
  return markdown
    .replaceAll(/<!--[\s\S]*?-->/g, ' ')
    .replaceAll(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, 'CODE')
    .replaceAll(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<\/?[a-z][^>]*>/gi, ' ')
    .replaceAll(/\*\*|__/g, '')
    .replaceAll(/\\([|<>*_])/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
