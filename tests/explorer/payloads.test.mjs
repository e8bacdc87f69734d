// Pages that attack: no script of theirs runs, nothing of theirs is fetched, and the policy of the page holds.
import assert from "node:assert/strict";
import { test } from "node:test";

import { client, explorer, go, mapped, shown } from "./browser.mjs";

const NOT_FOUND = /Failed to load resource/;
const FORBIDDEN =
  "script:not([src^='infograph/']), iframe, object, embed, base, main img, main style, main input:not([type]), main form:not(.ask-form, .search)";

/** Nothing ran, nothing that runs is there, and every link is one of the web. */
async function harmless(page, what) {
  const found = await page.evaluate((forbidden) => {
    const isPlace = (style) => /^left: [\d.]+px; top: [\d.]+px;$/.test(style); // the map's mark has one, set by code
    const handlers = [...document.querySelectorAll("*")].filter((element) =>
      element
        .getAttributeNames()
        .some((name) => name.startsWith("on") || name === "srcdoc" || (name === "style" && !isPlace(element.getAttribute(name)))),
    );
    const links = [...document.querySelectorAll("a")].map(
      (link) => new URL(link.getAttribute("href"), document.baseURI).protocol,
    );
    return {
      pwned: window.pwned,
      violations: window.violations,
      forbidden: [...document.querySelectorAll(forbidden), ...handlers].map((element) =>
        element.outerHTML.slice(0, 100),
      ),
      links: links.filter((protocol) => !/^https?:$/.test(protocol)),
    };
  }, FORBIDDEN);
  assert.deepEqual(found, { pwned: undefined, violations: [], forbidden: [], links: [] }, what);
}

test("chunks of pages that attack", () =>
  explorer(async (page) => {
    const site = client();
    const topics = (await site.topics()).filter(({ id }) => id.startsWith("attack"));
    assert.equal(topics.length, 4);
    let chunks = 0;
    for (const { id } of topics) {
      await go(page, `#topic=${encodeURIComponent(id)}`);
      await harmless(page, id);
      for (const { href } of await site.sample(id, Infinity)) {
        await go(page, `#chunk=${encodeURIComponent(href)}&q=payload script onerror`);
        assert.equal(await page.locator(".prose").count(), 1, href);
        await harmless(page, href);
        chunks += 1;
      }
    }
    assert.ok(chunks > 10);
    assert.match(await page.locator("#tree").textContent(), /onerror/);
  }));

test("a page of addresses that cannot be parsed is shown whole", () =>
  explorer(async (page) => {
    const site = client();
    const items = await site.sample("attack/plain", Infinity);
    const own = items.filter(({ href }) => /\/addresses[.-]/.test(href));
    assert.ok(own.length > 0);
    let text = "";
    for (const { href } of own) {
      await go(page, `#chunk=${encodeURIComponent(href)}`);
      assert.equal(await page.locator(".prose").count(), 1, href);
      await harmless(page, href);
      text += await page.locator(".prose").textContent();
    }
    for (let i = 0; i < 27; i++) assert.ok(text.includes(`link ${i}`) && text.includes(`image ${i}`), `link ${i}`);
    assert.match(text, /The last line of all\./);
  }));

test("titles and snippets of results, and what one types", () =>
  explorer(
    async (page) => {
      await page.waitForLoadState("networkidle");
      assert.ok((await page.locator(".result").count()) > 5);
      await harmless(page, "results");
      await page.locator("#search").fill("payload <img src=x onerror=window.pwned=1>");
      await page.waitForSelector("[role=option]");
      await harmless(page, "typing");
      await page.keyboard.press("Enter");
      await page.waitForURL(/onerror/);
      await shown(page);
      await harmless(page, "typed");
      for (const row of await page.locator(".result a").all()) await row.hover();
      await harmless(page, "pointed at");
    },
    { hash: "#q=payload" },
  ));

test("the first page, its map and the page that asks", () =>
  explorer(
    async (page) => {
      await mapped(page);
      await harmless(page, "start");
      await page.getByRole("application").focus();
      for (let i = 0; i < 40; i++) {
        await page.keyboard.press(["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"][i % 7 % 4]);
        await harmless(page, `map ${i}`);
      }
      await page.locator("#search").fill("payload <img src=x onerror=window.pwned=1>");
      await page.waitForFunction(() => / for “payload/.test(document.querySelector(".map-status").textContent));
      await harmless(page, "lit");
      await page.getByRole("application").focus();
      await page.keyboard.press("ArrowRight");
      await page.waitForSelector(".map-tip strong");
      await harmless(page, "told");
      for (const query of ["payload", "payload <script>window.pwned=1</script>", "link image"]) {
        await go(page, `#ask=${encodeURIComponent(query)}&budget=8000`);
        assert.ok((await page.locator(".passage").count()) > 0, query);
        await harmless(page, `ask ${query}`);
      }
    },
  ));

test("addresses that attack", () =>
  explorer(
    async (page) => {
      const payloads = [
        "javascript:window.pwned=1",
        "<img src=x onerror=window.pwned=1>",
        "https://evil.invalid/a.md",
        "//evil.invalid/_chunks/a.md",
        "\\\\evil.invalid/a.md",
        "../../../etc/passwd",
        "%2e%2e/%2e%2e/a",
        "data:text/html,<script>window.pwned=1</script>",
        "__proto__",
        "\0",
      ];
      const states = [
        ["q", "in"],
        ["topic"],
        ["chunk", "q"],
        ["page", "at"],
        ["ask", "budget"],
        ["document", "keyword", "order", "width"],
      ];
      for (const keys of states) {
        for (const payload of payloads) {
          const said = keys.map((key) => `${key}=${encodeURIComponent(payload)}`);
          await go(page, `#topic=guide&${said.join("&")}`.replace("topic=guide&topic", "topic"));
          await harmless(page, `${keys}: ${payload}`);
        }
      }
    },
    { expected: NOT_FOUND },
  ));

test("the policy: what would run does not", () =>
  explorer(
    async (page) => {
      const attempts = await page.evaluate(async () => {
        const attempts = {};
        const attempt = async (name, act) => {
          try {
            await act();
            attempts[name] = "done";
          } catch (error) {
            attempts[name] = error.name;
          }
        };
        const put = (name, attributes, text = "") => {
          const element = Object.assign(document.createElement(name), attributes);
          element.append(text);
          document.body.append(element);
        };
        await attempt("innerHTML", () => (document.body.lastElementChild.innerHTML = "<b>markup</b>"));
        await attempt("inline script", () => put("script", {}, "window.pwned = 1"));
        await attempt("style", () => put("style", {}, "body { color: red }"));
        await attempt("image", () => put("img", { src: "https://evil.invalid/pixel.png" }));
        await attempt("frame", () => put("iframe", { src: "https://evil.invalid/" }));
        await attempt("fetch", () => fetch("https://evil.invalid/"));
        await attempt("policy", () => trustedTypes.createPolicy("own", {}));
        return attempts;
      });
      assert.deepEqual(attempts.innerHTML, "TypeError");
      assert.deepEqual(attempts.fetch, "TypeError");
      assert.deepEqual(attempts.policy, "TypeError");
      for (const kind of ["style-src-elem", "img-src", "frame-src", "connect-src", "require-trusted-types-for"]) {
        await page.waitForFunction((kind) => window.violations.some((text) => text.startsWith(`${kind}:`)), kind);
      }
      assert.equal(await page.evaluate(() => window.pwned), undefined);
    },
    { expected: /Content Security Policy|TrustedHTML|TrustedScript|Trusted|evil\.invalid|violates/ },
  ));
