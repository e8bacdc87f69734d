/** SHA-256 (FIPS 180-4), for pages whose platform has none. Loaded when needed. */

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
 * The 32 bytes of the digest, as `crypto.subtle` gives them.
 * @param {Uint8Array} data
 */
export function digest(data) {
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
  const bytes = new DataView(new ArrayBuffer(32));
  hash.forEach((value, i) => bytes.setInt32(4 * i, value));
  return bytes.buffer;
}
