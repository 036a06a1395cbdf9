/** Splits a text that comes in pieces into lines in which everything is visible, in bounded memory. */

export interface LineReader {
  /** Takes the text in pieces. */
  read(text: string): void;
  end(): void;
}

/** Keeps the begin of a line that is longer than `length` characters, and says how much it lacks. */
export function createLines(length: number, onLine: (line: string, isCut: boolean) => void): LineReader {
  let begun = '';
  let over = 0;

  function append(text: string): void {
    const room = length - begun.length;
    begun += text.slice(0, room);
    over += Math.max(0, text.length - room);
  }

  function flush(): void {
    const line = visible(begun).trimEnd();
    const shown = line.slice(0, length).toWellFormed();
    const more = over + line.length - shown.length;
    onLine(more > 0 ? `${shown}… (${more} more characters)` : shown, more > 0);
    [begun, over] = ['', 0];
  }

  return {
    read(text) {
      let from = 0;
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
        append(text.slice(from, end));
        flush();
        from = end + 1;
      }
      append(text.slice(from));
    },
    end() {
      if (begun !== '') flush();
    },
  };
}

/** Characters that nobody sees, or that reorder a line, are written as escapes: they may be the very difference. */
function visible(line: string): string {
  return line
    .replaceAll('\t', '  ')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
      character === '\r' ? String.raw`\r` : `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}}`,
    );
}
