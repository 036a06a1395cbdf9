import { describe, expect, test } from '@jest/globals';
import { escapeHtml, html } from './html.ts';

describe('what is put into HTML', () => {
  test('is text, wherever it stands', () => {
    const hostile = `</script><img src=x onerror="alert('1')">&amp;`;

    expect(html`<p title="${hostile}">${hostile}</p>`.markup).toBe(
      '<p title="&lt;/script&gt;&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;">' +
        '&lt;/script&gt;&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;</p>',
    );
  });

  test('stays HTML when it was made here', () => {
    const items = ['a', '<b>'].map((item) => html`<i>${item}</i>`);

    expect(html`<p>${items}</p>`.markup).toBe('<p><i>a</i><i>&lt;b&gt;</i></p>');
  });

  test('is nothing when it is left out', () => {
    expect(html`<p>${undefined}${false}${0}</p>`.markup).toBe('<p>0</p>');
  });
});

test('characters that hide or reorder text are dropped', () => {
  expect(escapeHtml('safe\u202etxt.exe\u0000\u001b[31m\ud800\ttab\nline')).toBe('safetxt.exe[31m\ufffd\ttab\nline');
});
