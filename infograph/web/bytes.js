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

/** Fractional parts of the square and cube roots of the first primes, 32 bits: the constants of SHA-256. */
const [STATE, ROUND] = (() => {
  const primes = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n);
  const bits = (root) => (root % 1) * 2 ** 32;
  return [primes.slice(0, 8).map((p) => bits(Math.sqrt(p))), primes.map((p) => bits(Math.cbrt(p)))].map((list) =>
    Int32Array.from(list, (value) => value | 0),
  );
})();

/**
 * SHA-256 (FIPS 180-4) in hex. The platform's own, `crypto.subtle`, is missing where a page is not served by https,
 * as in many an intranet.
 * @param {Uint8Array} data
 */
export function sha256(data) {
  const padded = new Uint8Array(((data.length + 72) >> 6) << 6);
  padded.set(data);
  padded[data.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(data.length / 2 ** 29));
  view.setUint32(padded.length - 4, data.length << 3);

  const hash = STATE.slice();
  const w = new Int32Array(64);
  const turned = (x, by) => (x >>> by) | (x << (32 - by));
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 64; i++) {
      if (i < 16) w[i] = view.getInt32(block + 4 * i);
      else {
        const [x, y] = [w[i - 15], w[i - 2]];
        const s0 = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
        const s1 = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
      }
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i++) {
      const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUND[i] + w[i]) | 0;
      const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => (hash[i] += value));
  }
  return Array.from(hash, (value) => (value >>> 0).toString(16).padStart(8, "0")).join("");
}
