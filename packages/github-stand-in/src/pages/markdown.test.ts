import { describe, expect, test } from '@jest/globals';
import { renderMarkdown } from './markdown.ts';

const render = (text: string): string => renderMarkdown(text).text;

describe('what Markdown becomes', () => {
  test('a table becomes a table', () => {
    expect(render('| a |\n| - |\n| 1 |')).toContain('<td>1</td>');
  });

  test('a fenced plan, with nothing in it interpreted', () => {
    expect(render('```diff\n+ <b>x</b>\n```')).toContain('+ &lt;b&gt;x&lt;/b&gt;');
  });

  test('details that open', () => {
    const rendered = render('<details>\n<summary>Plan</summary>\n\n**x**\n\n</details>');

    expect(rendered).toContain('<details>');
    expect(rendered).toContain('<summary>Plan</summary>');
    expect(rendered).toContain('<strong>x</strong>');
  });

  test.each(['Note', 'Tip', 'Important', 'Warning', 'Caution'])('the alert %s is shown as GitHub shows it', (title) => {
    const rendered = render(`> [!${title.toUpperCase()}]\n> Not **mallory**\n\nPlan`);

    expect(rendered).toContain(`<div class="alert ${title.toLowerCase()}"><p class="title">${title}</p>`);
    expect(rendered).toContain('<p>Not <strong>mallory</strong></p>');
    expect(rendered).not.toContain('[!');
  });

  test('a quotation that is no alert', () => {
    expect(render('> [!SOMETHING]\n> said')).toContain('<blockquote><p>[!SOMETHING]');
    expect(render('> [!NOTE]')).toContain('<blockquote><p>[!NOTE]');
  });

  test('a link leads where it says', () => {
    expect(render('[log](http://127.0.0.1/log)')).toContain('href="http://127.0.0.1/log"');
  });
});

describe('what is never let through:', () => {
  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<details ontoggle=alert(1) open>',
    'a <pre> <img src=x onerror=alert(1)//',
    '<pre>\n<svg/onload=alert(1)\n</pre>',
    '[x](javascript:alert(1))',
    '[x](data:text/html;base64,PHNjcmlwdD4=)',
    '![x](javascript:alert(1))',
    '<a href="javascript:alert(1)">x</a>',
    '`<script>`',
    '# <script>alert(1)</script>',
    '> [!NOTE]\n> <img src=x onerror=alert(1)>',
  ])('the HTML in %s is never let through', (text) => {
    const tags = render(text).match(/<\/?[a-z][^>]*>?/gi) ?? [];

    expect(tags.filter((tag) => /script|onerror|onload|ontoggle|javascript|data:|<img|<svg/i.test(tag))).toEqual([]);
  });

  test('an image from elsewhere, which becomes a link', () => {
    expect(render('![chart](https://example.com/x.png)')).not.toContain('<img');
  });
});
