import ts from 'typescript';
import { type Passage, plainText } from './passage.ts';

/** The comments of exported names, and the strings that are sentences; what to do about an error follows its semicolon. */
export function sourcePassages(source: string): readonly Passage[] {
  return [...commentsOfExports(source), ...stringsOf(source)];
}

function commentsOfExports(source: string): readonly Passage[] {
  const comments = source.matchAll(/^\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n(?=export )/gm);
  return Array.from(comments, ([, comment = '']) => comment.replaceAll(/^ *\*+ ?/gm, ''))
    .flatMap((comment) => comment.split(/\n\s*\n|\n *- |\n *@\w+/))
    .map((text) => ({ kind: 'comment', text: plainText(text) }));
}

/** A shorter string is a name, a title or a piece of a sentence. */
const SENTENCE = /\p{Ll}+,? \S+ \S+ \S+ \p{Ll}+/u;

function stringsOf(source: string): readonly Passage[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const text = textOf(node);
    if (text === undefined) ts.forEachChild(node, visit);
    else found.push(text);
  };
  visit(ts.createSourceFile('a.ts', source, ts.ScriptTarget.Latest));
  return found
    .flatMap((text) => text.split(/\n|; /))
    .filter((text) => SENTENCE.test(text))
    .map((text) => ({ kind: 'string', text: plainText(text) }));
}

/** Of a literal, or of literals that are joined; what is filled in counts as one word. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `X${literal.text}`).join('');
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const parts = [textOf(node.left), textOf(node.right)];
    return parts.every((part) => part === undefined) ? undefined : parts.map((part) => part ?? 'X').join('');
  }
  return undefined;
}
