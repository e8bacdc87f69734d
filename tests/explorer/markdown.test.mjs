// What of Markdown becomes which elements, and that texts made to be slow or deep are neither.
import assert from "node:assert/strict";
import { test } from "node:test";

import { explorer } from "./browser.mjs";

/** Markdown, and the elements it gives; class names and the attributes that all such elements have are left out. */
const CASES = [
  ["# Title #", "<h2>Title</h2>"],
  ["### `code` in it {#own-id}", "<h4><code>code</code> in it</h4>"],
  ["Title\n===", "<h2>Title</h2>"],
  ["a\nb\n\nc", "<p>a\nb</p><p>c</p>"],
  ["a  \nb\\\nc", "<p>a  <br>b<br>c</p>"],
  ["*a* _b_ **c** ***d*** ~~e~~ snake_case_word 2*3*4", "<p><em>a</em> <em>b</em> <strong>c</strong> <em><strong>d</strong></em> <s>e</s> snake_case_word 2<em>3</em>4</p>"],
  ["**a *b* c**, *a **b** c*", "<p><strong>a <em>b</em> c</strong>, <em>a <strong>b</strong> c</em></p>"],
  ["* not emphasis*", "<ul><li>not emphasis*</li></ul>"],
  ["`a*b*` ``c ` d`` `open", "<p><code>a*b*</code> <code>c ` d</code> `open</p>"],
  ["\\*a\\* &amp; &lt;b&gt; &#65;&#x42; &bogus;", "<p>*a* &amp; &lt;b&gt; AB &amp;bogus;</p>"],
  ["<b>bold</b> <script>x</script>", "<pre><code>&lt;b&gt;bold&lt;/b&gt; &lt;script&gt;x&lt;/script&gt;</code></pre>"],
  ["a <b>bold</b>", "<p>a &lt;b&gt;bold&lt;/b&gt;</p>"],
  ["<!-- a\n\nb -->\nc", "<pre><code>&lt;!-- a\n\nb --&gt;</code></pre><p>c</p>"],
  ["[a](https://example.org/x \"t\")", '<p><a href="https://example.org/x">a</a></p>'],
  ["[a **b**](<https://example.org/x y>)", '<p><a href="https://example.org/x%20y">a <strong>b</strong></a></p>'],
  ["[a](https://example.org/x_(y))", '<p><a href="https://example.org/x_(y)">a</a></p>'],
  ["<https://example.org/> https://example.org/b.", '<p><a href="https://example.org/">https://example.org/</a> <a href="https://example.org/b">https://example.org/b</a>.</p>'],
  ["[a][one] [one] [two]\n\n[ONE]: https://example.org/1", '<p><a href="https://example.org/1">a</a> <a href="https://example.org/1">one</a> [two]</p>'],
  ["[a](javascript:x) [b](data:x) [c](other.md)", '<p><span>a</span> <span>b</span> <a href="#page=guide/other.md">c</a></p>'],
  ["![alt](https://example.org/i.png) [![in](a.png)](https://example.org/)", '<p><a href="https://example.org/i.png">alt</a> <a href="https://example.org/"><span>in</span></a></p>'],
  ["- a\n- b\n  - c\n\n    d\n- e", "<ul><li>a</li><li>b<ul><li><p>c</p><p>d</p></li></ul></li><li>e</li></ul>"],
  ["3. a\n4. b", '<ol start="3"><li>a</li><li>b</li></ol>'],
  ["- a\n\n- b", "<ul><li><p>a</p></li><li><p>b</p></li></ul>"],
  ["- [ ] a\n- [x] b", '<ul><li><span role="img" aria-label="To do">☐ </span>a</li><li><span role="img" aria-label="Done">☑ </span>b</li></ul>'],
  ["- a\n  ```\n  code\n  ```\n- b", "<ul><li>a<pre><code>code</code></pre></li><li>b</li></ul>"],
  ["> a\nb\n>\n> - c", "<blockquote><p>a\nb</p><ul><li>c</li></ul></blockquote>"],
  ["```py\n# x <b>\n\n```\nend", '<pre data-language="py"><code># x &lt;b&gt;\n</code></pre><p>end</p>'],
  ["~~~\n```\n~~~", "<pre><code>```</code></pre>"],
  ["    a\n\n    b", "<pre><code>a\n\nb</code></pre>"],
  ["a\n\n---\n\nb", "<p>a</p><hr><p>b</p>"],
  ["| a | b\\|c |\n|:-:|--:|\n| `d` | e |\n| f |", "<div><table><thead><tr><th>a</th><th>b|c</th></tr></thead><tbody><tr><td><code>d</code></td><td>e</td></tr><tr><td>f</td><td></td></tr></tbody></table></div>"],
  ["!!! note \"Mind\"\n    a\n\nb", "<div><p>Mind</p><p>a</p></div><p>b</p>"],
  [":::tip\na\n\n:::info[In it]\nb\n:::\n:::\nc", "<div><p>Tip</p><p>a</p><div><p>In it</p><p>b</p></div></div><p>c</p>"],
  ["/// warning | Danger\na\n///", "<div><p>Danger</p><p>a</p></div>"],
  ['=== "One"\n    a\n\n=== "Two *x*"\n    b\n\nc', "<div><p>One</p><p>a</p></div><div><p>Two <em>x</em></p><p>b</p></div><p>c</p>"],
  ["> [!WARNING]\n> a\n> b", "<div><p>Warning</p><p>a\nb</p></div>"],
  ["> [!NOTE] Mind\n> a\n\n> [!x y]", "<div><p>Mind</p><p>a</p></div><blockquote><p>[!x y]</p></blockquote>"],
  ["# T { #own .class }\n\na [b](https://example.org/){ .md-button target=_blank }\n{: .lead }\n\n{ #id .c }\n\n{% x %} {a}", '<h2>T</h2><p>a <a href="https://example.org/">b</a></p><p>{% x %} {a}</p>'],
  ["[a](https://[) [b](http://%zz/ 'c') <https://[> https://a:99999999/", "<p><span>a</span> <span>b</span> <span>https://[</span> <span>https://a:99999999/</span></p>"],
  ["[a](//[) [b](///) [c](%zz.md)", '<p><span>a</span> <span>b</span> <a href="#page=guide/%25zz.md">c</a></p>'],
  ["---\ntitle: x\n---\na", "<details><summary>Front matter</summary><pre><code>title: x</code></pre></details><p>a</p>"],
]; // prettier-ignore

test("elements", () =>
  explorer(async (page) => {
    const made = await page.evaluate(
      async (sources) => {
        const [{ markdown }, { target }] = await Promise.all(
          ["markdown", "places"].map(
            (name) => import(`${document.baseURI.replace(/[^/]*$/, "")}infograph/explorer/${name}.js`),
          ),
        );
        return sources.map((source) => {
          const box = document.createElement("div");
          box.append(...markdown(source, (href) => target(href, "guide/index.md")));
          for (const element of box.querySelectorAll("*")) {
            for (const name of ["class", "dir", "tabindex", "target", "rel"]) element.removeAttribute(name);
            if (element.matches("div")) ["role", "aria-label"].forEach((name) => element.removeAttribute(name));
          }
          return box.innerHTML;
        });
      },
      CASES.map(([source]) => source),
    );
    assert.deepEqual(
      made,
      CASES.map(([, wanted]) => wanted),
    );
  }));

/** Each would take minutes, or more stack than there is, if time or depth grew faster than the text. */
const HOSTILE = [
  "> ".repeat(20_000),
  "- ".repeat(20_000) + "a",
  Array.from({ length: 300 }, (_, i) => " ".repeat(2 * i) + "- a").join("\n"),
  "*a **b ".repeat(3000),
  "*".repeat(20_000) + "a" + "*".repeat(20_000),
  "a** b".repeat(4000),
  "[".repeat(20_000),
  "[a](".repeat(5000),
  "![".repeat(5000) + "]()".repeat(5000),
  "[a](" + " ".repeat(19_000) + "b",
  Array.from({ length: 190 }, (_, i) => "`".repeat(i) + " ").join(""),
  "<".repeat(20_000),
  "&".repeat(20_000),
  "# " + " ".repeat(250_000) + "x",
  ":::note" + " ".repeat(250_000) + "x",
  "- a" + "\n".repeat(250_000) + "b",
  "|".repeat(20_000) + "\n" + "|-".repeat(20_000),
  "https://".repeat(2000),
  "```\n".repeat(50_000),
  "a\n".repeat(140_000),
  "\t".repeat(250_000),
  "{#a ".repeat(60_000) + "}",
  "{" + " ".repeat(200_000) + "}",
  "# " + "{ ".repeat(100_000) + "}",
  '=== "a"\n    '.repeat(20_000),
  "> [!NOTE]\n".repeat(20_000),
];

test("texts made to be slow or deep", () =>
  explorer(async (page) => {
    for (const source of HOSTILE) {
      const depth = await page.evaluate(async (source) => {
        const { markdown } = await import(`${document.baseURI.replace(/[^/]*$/, "")}infograph/explorer/markdown.js`);
        const box = document.createElement("div");
        box.append(...markdown(source, () => ""));
        const depthOf = (element) => 1 + Math.max(0, ...[...element.children].slice(0, 50).map(depthOf));
        return depthOf(box);
      }, source);
      assert.ok(depth < 60, `${source.slice(0, 20)}: ${depth}`);
    }
  }));

test("a block that cannot be made is shown as text, and costs no other", () =>
  explorer(
    async (page) => {
      const made = await page.evaluate(async () => {
        const { markdown } = await import(`${document.baseURI.replace(/[^/]*$/, "")}infograph/explorer/markdown.js`);
        const box = document.createElement("div");
        const href = (target) => {
          if (target === "bad") throw new RangeError("made for the test");
          return "";
        };
        box.append(...markdown("one\n\n[x](bad) **two**\nmore\n\n- [y](bad)\n- three\n\n# four [z](bad)\n\nfive", href));
        return [...box.querySelectorAll("p, pre, li")].map((element) => `${element.tagName} ${element.textContent}`);
      });
      assert.deepEqual(made, [
        "P one",
        "PRE [x](bad) **two**\nmore",
        "LI [y](bad)",
        "PRE [y](bad)",
        "LI three",
        "PRE # four [z](bad)",
        "P five",
      ]);
    },
    { expected: /made for the test/ },
  ));
