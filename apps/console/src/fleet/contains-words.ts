/** Whether each word of a text that a person typed stands in one of the texts, in any case and order. Without words, it does. Pure. */
export function containsWords(typed: string, texts: readonly string[]): boolean {
  const all = texts.join('\n').toLowerCase();
  return wordsOf(typed).every((word) => all.includes(word));
}

export function wordsOf(typed: string): readonly string[] {
  return typed.toLowerCase().split(/\s+/).filter(Boolean);
}
