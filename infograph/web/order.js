/** The order of UTF-8, in which the files of an index are sorted. */

/** Compares by code point, which is the order of UTF-8 bytes; `<` compares UTF-16, where U+FFFD is after U+10000. */
export function compare(a, b) {
  const size = Math.min(a.length, b.length);
  for (let i = 0; i < size; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x !== y) return lifted(x) - lifted(y);
  }
  return a.length - b.length;
}

function lifted(unit) {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}
