/** Hashes and variable-length numbers, as the files of an index use them. */

const encoder = new TextEncoder();

/** FNV-1a over the UTF-8 bytes, mixed by murmur3's finaliser: what a shard is chosen by. */
export function hash32(text) {
  let value = 0x811c9dc5;
  for (const byte of encoder.encode(text)) value = Math.imul(value ^ byte, 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** The words of a text in which each follows the number of first letters that it shares with the one before it. */
export function frontDecoded(text) {
  let word = "";
  return Array.from(text.matchAll(/(\d)(\D*)/g), ([, kept, rest]) => (word = word.slice(0, kept) + rest));
}

/** A name of a list that is one text: the kind and a hyphen, then each name's digits, hyphens where there is no file. */
export function nameAt(joined, number) {
  const digits = joined.substr(2 + 16 * number, 16);
  return /\w/.test(digits) ? `${joined[0]}-${digits}.z` : "";
}

/** Reads forward; a number or a slice beyond the end is a RangeError. */
export class Cursor {
  constructor(data) {
    this.data = data;
    this.at = 0;
  }

  get done() {
    return this.at >= this.data.length;
  }

  /** A varint; whole up to 2^53. */
  number() {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.data[this.at++];
      if (byte === undefined || factor > 2 ** 49) throw new RangeError(`a number is cut off at byte ${this.at}`);
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  bytes(size) {
    if (size > this.data.length - this.at) throw new RangeError(`${size} bytes are missing at byte ${this.at}`);
    this.at += size;
    return this.data.subarray(this.at - size, this.at);
  }
}

/**
 * SHA-256 in hex. The platform's own, `crypto.subtle`, is missing where a page is not served by https, as in many an
 * intranet.
 * @param {Uint8Array} data
 */
export async function sha256(data) {
  const { subtle } = globalThis.crypto ?? {};
  const digest = subtle ? await subtle.digest("SHA-256", data) : (await import("./sha256.js")).digest(data);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
