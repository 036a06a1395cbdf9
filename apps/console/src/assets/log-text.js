/**
 * The text of a log in the page. It is cut into parts of some lines each, of which a browser lays out only those that are seen: in one
 * piece, each line that is added would cost as much as the whole log. Text is only ever inserted as text.
 */
const { document } = globalThis;

/** A screen or two. */
const LINES_OF_A_PART = 100;

/** A line that is longer than any screen is cut there. */
const LENGTH_OF_A_PART = 100_000;

/** How much of one log the page keeps; the plain text has all. A piece, with a colour of its own, takes a third of a kilobyte. */
const KEPT_LENGTH = 2_000_000;
const KEPT_PIECES = 50_000;

export function createLogText(pre) {
  /** The oldest first; the last one is added to. */
  const parts = [];
  const kept = { length: 0, pieces: 0 };

  function begin() {
    const part = { element: document.createElement('div'), lines: 0, length: 0, pieces: 0 };
    part.element.className = 'log-part';
    pre.append(part.element);
    parts.push(part);
    return part;
  }

  /** Adds as much as there is room for in the last part, and returns the rest. */
  function addSome(text, classes) {
    const last = parts.at(-1);
    const isFull = last === undefined || last.lines >= LINES_OF_A_PART || last.length >= LENGTH_OF_A_PART;
    const part = isFull ? begin() : last;
    const end = Math.min(endOfLines(text, LINES_OF_A_PART - part.lines), LENGTH_OF_A_PART - part.length);
    const own = text.slice(0, end);
    part.element.append(classes === '' ? own : spanOf(own, classes));
    part.lines += own.split('\n').length - 1;
    // Until it is laid out, it is as high as its lines are, if none of them is wrapped.
    part.element.style.containIntrinsicBlockSize = `auto ${part.lines}lh`;
    for (const count of [part, kept]) {
      count.length += own.length;
      count.pieces += 1;
    }
    return text.slice(end);
  }

  function forgetOldest() {
    while ((kept.length > KEPT_LENGTH || kept.pieces > KEPT_PIECES) && parts.length > 1) {
      const { element, length, pieces } = parts.shift();
      element.remove();
      kept.length -= length;
      kept.pieces -= pieces;
    }
  }

  return {
    append(segments) {
      for (const [text, classes] of segments) {
        for (let rest = text; rest !== '';) rest = addSome(rest, classes);
      }
      forgetOldest();
    },
    note(text) {
      pre.append(spanOf(`${text}\n`, 'log-note'));
    },
  };
}

/** Where so many lines end. */
function endOfLines(text, lines) {
  let end = 0;
  for (let line = 0; line < lines; line += 1) {
    end = text.indexOf('\n', end) + 1;
    if (end === 0) return text.length;
  }
  return end;
}

function spanOf(text, classes) {
  const span = document.createElement('span');
  span.className = classes;
  span.textContent = text;
  return span;
}
