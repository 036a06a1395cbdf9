const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The sentences of a passage; a colon or a semicolon ends none. */
export function sentencesOf(text: string): readonly string[] {
  return Array.from(SENTENCES.segment(text), ({ segment }) => segment.trim()).filter((sentence) => sentence !== '');
}

export function wordsOf(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
