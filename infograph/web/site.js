/** Fetches files of one published tree: never from elsewhere, never more than allowed, never longer than allowed. */

/** What went wrong; `infograph.d.ts` says what each `code` means. */
export class InfographError extends Error {
  constructor(code, message, options) {
    super(message, options);
    this.name = "InfographError";
    this.code = code;
  }
}

export class Site {
  /**
   * @param {string | URL} url of the folder that holds `index.json` and `_search/`, or of that file
   * @param {{fetch: typeof fetch, timeout: number}} options timeout: of one file, in milliseconds
   */
  constructor(url, { fetch, timeout }) {
    need(typeof fetch === "function", "fetch", "a function", fetch);
    const from = globalThis.document?.baseURI;
    const given = URL.canParse(url, from) ? new URL(url, from) : {};
    if (!/^https?:$/.test(given.protocol)) throw new InfographError("outside", `${url} is neither http nor https`);
    // `…/docs` is a folder without its slash, whose parent must not be asked.
    if (!/(?:\/|\.json|\.html?)$/.test(given.pathname)) given.pathname += "/";
    /** As it was given: that of a federation ends in `federation.json`. */
    this.url = given;
    /** @type {string} ends with a slash */
    this.base = new URL(".", given).href;
    this.fetch = fetch;
    this.timeout = timeout;
  }

  /**
   * The address that a link means.
   * @param {string} href
   * @param {string} [from] address of the file that the link stands in
   */
  resolve(href, from = this.base) {
    const refuse = (reason) => new InfographError("outside", `${JSON.stringify(String(href).slice(0, 200))} ${reason}`);
    // What URL would quietly repair.
    if (typeof href !== "string" || /[\\\p{Cc}]/u.test(href)) throw refuse("is no link");
    let url;
    try {
      url = new URL(href, from);
    } catch {
      throw refuse("is no link");
    }
    if (!url.href.startsWith(this.base)) throw refuse(`leads out of ${this.base}`);
    // `%2e%2e` is resolved by now. A server may decode the rest before it splits at slashes.
    if (/%2f|%00|(?:^|\/|%5c)\.\.%5c|%5c\.\.(?:%5c|\/|$)/i.test(url.pathname)) throw refuse("hides a path");
    url.hash = "";
    return url.href;
  }

  /** What `resolve` takes back. */
  relative(address) {
    const path = address.slice(this.base.length);
    return path.split("/", 1)[0].includes(":") ? `./${path}` : path;
  }

  /**
   * A file, as `accept` makes it of the bytes. What it refuses (a RangeError, a SyntaxError or code `broken`) and what
   * broke off is fetched a second time, past all caches: the site may have been published in between.
   * @template T
   * @param {string} address from `resolve`
   * @param {number} most bytes
   * @param {(data: Uint8Array) => T | Promise<T>} accept
   * @param {RequestCache} [cache]
   * @returns {Promise<T>}
   */
  async get(address, most, accept, cache = "default") {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), soon(this.timeout));
    const attempt = async (how) => accept(await this.#bytes(address, most, how, controller.signal));
    try {
      return await attempt(cache).catch((error) => {
        const final = error instanceof InfographError && error.code !== "broken";
        if (controller.signal.aborted || final) throw error;
        return attempt("reload");
      });
    } catch (error) {
      const where = this.relative(address);
      if (controller.signal.aborted) {
        throw new InfographError("timeout", `${where}: not read within ${this.timeout} ms`, { cause: error });
      }
      const own = error instanceof InfographError;
      if (own && error.message.startsWith(where)) throw error;
      const broken = error instanceof RangeError || error instanceof SyntaxError;
      const code = own ? error.code : broken ? "broken" : "missing";
      throw new InfographError(code, `${where}: ${error.cause?.message ?? error.message}`, { cause: error });
    } finally {
      clearTimeout(timer);
      controller.abort(); // what is left of a body that was not wanted
    }
  }

  async #bytes(address, most, cache, signal) {
    const where = this.relative(address);
    // `manual`, since `follow` would ask another server before its address could be looked at.
    const response = await (0, this.fetch)(address, { cache, redirect: "manual", signal });
    if (
      response.type === "opaqueredirect" ||
      response.redirected ||
      (response.status >= 300 && response.status < 400)
    ) {
      throw new InfographError(
        "outside",
        `${where}: the server redirects, which is not followed; give the final address`,
      );
    }
    if (!response.ok) throw new InfographError("missing", `${where}: the server answers ${response.status}`);
    return gather(response.body ?? new Blob([]).stream(), most, where);
  }
}

/** The milliseconds of a timer, which takes more than these for none. */
export function soon(timeout) {
  need(typeof timeout === "number" && timeout > 0, "timeout", "a number of milliseconds above 0", timeout);
  return Math.min(timeout, 2 ** 31 - 1);
}

/** Refuses an option's value that is not what is wanted. */
export function need(sound, name, wanted, value) {
  if (!sound) throw new InfographError("unknown", `${name}: has to be ${wanted}, not ${shown(value)}`);
}

function shown(value) {
  try {
    return ((typeof value === "number" ? null : JSON.stringify(value)) ?? String(value)).slice(0, 80);
  } catch {
    return typeof value; // that of a loop of objects, or of a bigint
  }
}

/** Whether a value has fields; of a Map or a Date none would be found. */
export function isPlain(value) {
  return / (Object|Module)]$/.test(Object.prototype.toString.call(value));
}

/** Whether all are whole numbers from `least` to `most`; Infinity counts as one. */
export function whole(values, least = 0, most = 2 ** 50) {
  return values.every((value) => (Number.isInteger(value) || value === Infinity) && value >= least && value <= most);
}

/**
 * A stream's bytes, which are left unread beyond `most`.
 * @param {ReadableStream<Uint8Array>} stream
 * @returns {Promise<Uint8Array>}
 */
export async function gather(stream, most, where) {
  const reader = stream.getReader();
  const parts = [];
  let size = 0;
  for (let part; !(part = await reader.read()).done;) {
    size += part.value.length;
    if (size > most) {
      await reader.cancel();
      throw new InfographError("large", `${where}: more than ${most} bytes`);
    }
    parts.push(part.value);
  }
  return parts.length === 1 ? parts[0] : new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** JSON of bytes, which have to be UTF-8. */
export function json(data) {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(data));
  } catch (error) {
    throw new SyntaxError(`no JSON: ${error.message}`);
  }
}

/** Remembers what was asked for most recently. Failures are forgotten. */
export class Memory {
  #kept = new Map();

  constructor(most) {
    this.most = most;
  }

  /**
   * @template T
   * @param {string} key
   * @param {() => Promise<T>} load
   * @returns {Promise<T>}
   */
  get(key, load) {
    const promise = this.#kept.get(key) ?? load();
    this.#kept.delete(key);
    this.#kept.set(key, promise);
    promise.catch(() => this.#kept.get(key) === promise && this.#kept.delete(key));
    if (this.#kept.size > this.most) this.#kept.delete(this.#kept.keys().next().value);
    return promise;
  }
}
