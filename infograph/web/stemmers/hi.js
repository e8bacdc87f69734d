/*!
The stemmers that infograph publishes for infograph.js are translations of those in the package snowballstemmer, which
Snowball (https://snowballstem.org/) generated; infograph/stemming/translation.py makes them. Snowball's licence:

Copyright (c) 2001, Dr Martin Porter
Copyright (c) 2004,2005, Richard Boulton
Copyright (c) 2013, Yoshiki Shibukawa
Copyright (c) 2006-2025, Olly Betts
All rights reserved.

Redistribution and use in source and binary forms, with or without
modification, are permitted provided that the following conditions
are met:

  1. Redistributions of source code must retain the above copyright notice,
     this list of conditions and the following disclaimer.
  2. Redistributions in binary form must reproduce the above copyright notice,
     this list of conditions and the following disclaimer in the documentation
     and/or other materials provided with the distribution.
  3. Neither the name of the Snowball project nor the names of its contributors
     may be used to endorse or promote products derived from this software
     without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND
ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED
WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT OWNER OR CONTRIBUTORS BE LIABLE FOR
ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES
(INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES;
LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON
ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT
(INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS
SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
*/

/** The word that a Snowball program works on, in characters, and the commands of such a program. */
class Machine {
  stem(word) {
    this.current = [...word];
    this.cursor = this.limit_backward = this.bra = 0;
    this.limit = this.ket = this.current.length;
    this._stem();
    return this.current.join("");
  }

  in_grouping(group) {
    return this.step(this.cursor < this.limit && group.has(this.current[this.cursor]), 1);
  }

  out_grouping(group) {
    return this.step(this.cursor < this.limit && !group.has(this.current[this.cursor]), 1);
  }

  in_grouping_b(group) {
    return this.step(this.cursor > this.limit_backward && group.has(this.current[this.cursor - 1]), -1);
  }

  out_grouping_b(group) {
    return this.step(this.cursor > this.limit_backward && !group.has(this.current[this.cursor - 1]), -1);
  }

  step(taken, by) {
    if (taken) this.cursor += by;
    return taken;
  }

  go_in_grouping(group) {
    while (this.in_grouping(group));
    return this.cursor < this.limit;
  }

  go_out_grouping(group) {
    while (this.out_grouping(group));
    return this.cursor < this.limit;
  }

  go_in_grouping_b(group) {
    while (this.in_grouping_b(group));
    return this.cursor > this.limit_backward;
  }

  go_out_grouping_b(group) {
    while (this.out_grouping_b(group));
    return this.cursor > this.limit_backward;
  }

  eq_s(text) {
    const end = this.cursor + [...text].length;
    if (end > this.limit || this.between(this.cursor, end) !== text) return false;
    this.cursor = end;
    return true;
  }

  eq_s_b(text) {
    const start = this.cursor - [...text].length;
    if (start < this.limit_backward || this.between(start, this.cursor) !== text) return false;
    this.cursor = start;
    return true;
  }

  find_among({ sizes, places, rows }) {
    const start = this.cursor;
    for (const size of sizes) {
      const place = start + size <= this.limit ? places.get(this.between(start, start + size)) : undefined;
      if (place !== undefined) return this.among(rows, place, start, 1);
    }
    return 0;
  }

  find_among_b({ sizes, places, rows }) {
    const end = this.cursor;
    for (const size of sizes) {
      const place = end - size >= this.limit_backward ? places.get(this.between(end - size, end)) : undefined;
      if (place !== undefined) return this.among(rows, place, end, -1);
    }
    return 0;
  }

  /** The result of the first row, from a place on, whose condition holds; each says which one is next. */
  among(rows, place, from, direction) {
    while (place >= 0) {
      const [text, next, result, condition] = rows[place];
      const to = from + direction * [...text].length;
      this.cursor = to;
      if (!condition || this[condition]()) {
        this.cursor = to;
        return result;
      }
      place = next;
    }
    return 0;
  }

  between(start, end) {
    return this.current.slice(start, end).join("");
  }

  slice_to() {
    return this.between(this.bra, this.ket);
  }

  slice_from(text) {
    this.replace(this.bra, this.ket, text);
    this.ket = this.bra + [...text].length;
  }

  slice_del() {
    this.slice_from("");
  }

  insert(start, end, text) {
    const longer = this.replace(start, end, text);
    if (start <= this.bra) this.bra += longer;
    if (start <= this.ket) this.ket += longer;
  }

  replace(start, end, text) {
    const letters = [...text];
    const longer = letters.length - (end - start);
    this.current.splice(start, end - start, ...letters);
    this.limit += longer;
    if (this.cursor >= end) this.cursor += longer;
    else if (this.cursor > start) this.cursor = start;
    return longer;
  }
}

/** The rows of a Snowball `among`: text, place of the longest other row that it begins (or ends) with, result, condition. */
function table(...rows) {
  const sizes = [...new Set(rows.map(([text]) => [...text].length))].sort((a, b) => b - a);
  return { rows, sizes, places: new Map(rows.map(([text], place) => [text, place])) };
}

class HindiStemmer extends Machine {
  g_consonant = new Set("कखगघङचछजझञटठडढणतथदधनऩपफबभमयरऱलळऴवशषसह़क़ख़ग़ज़ड़ढ़फ़य़");

  r_CONSONANT() {
    return this.in_grouping_b(this.g_consonant);
  }

  _stem() {
    if (this.cursor >= this.limit) {
      return false;
    }
    this.cursor += 1;
    this.limit_backward = this.cursor;
    this.cursor = this.limit;
    this.ket = this.cursor;
    if (this.find_among_b(this.a_0) === 0) {
      return false;
    }
    this.bra = this.cursor;
    this.slice_del();
    this.cursor = this.limit_backward;
    return true;
  }
  a_0 = table(
    ["आँ", -1, -1],
    ["ाँ", -1, -1],
    ["इयाँ", 1, -1],
    ["आइयाँ", 2, -1],
    ["ाइयाँ", 2, -1],
    ["ियाँ", 1, -1],
    ["आं", -1, -1],
    ["उआं", 6, -1],
    ["ुआं", 6, -1],
    ["ईं", -1, -1],
    ["आईं", 9, -1],
    ["ाईं", 9, -1],
    ["एं", -1, -1],
    ["आएं", 12, -1],
    ["उएं", 12, -1],
    ["ाएं", 12, -1],
    ["ताएं", 15, -1, "r_CONSONANT"],
    ["अताएं", 16, -1],
    ["नाएं", 15, -1, "r_CONSONANT"],
    ["अनाएं", 18, -1],
    ["ुएं", 12, -1],
    ["ओं", -1, -1],
    ["आओं", 21, -1],
    ["उओं", 21, -1],
    ["ाओं", 21, -1],
    ["ताओं", 24, -1, "r_CONSONANT"],
    ["अताओं", 25, -1],
    ["नाओं", 24, -1, "r_CONSONANT"],
    ["अनाओं", 27, -1],
    ["ुओं", 21, -1],
    ["ां", -1, -1],
    ["इयां", 30, -1],
    ["आइयां", 31, -1],
    ["ाइयां", 31, -1],
    ["ियां", 30, -1],
    ["ीं", -1, -1],
    ["तीं", 35, -1, "r_CONSONANT"],
    ["अतीं", 36, -1],
    ["आतीं", 36, -1],
    ["ातीं", 36, -1],
    ["ें", -1, -1],
    ["ों", -1, -1],
    ["इयों", 41, -1],
    ["आइयों", 42, -1],
    ["ाइयों", 42, -1],
    ["ियों", 41, -1],
    ["अ", -1, -1],
    ["आ", -1, -1],
    ["इ", -1, -1],
    ["ई", -1, -1],
    ["आई", 49, -1],
    ["ाई", 49, -1],
    ["उ", -1, -1],
    ["ऊ", -1, -1],
    ["ए", -1, -1],
    ["आए", 54, -1],
    ["इए", 54, -1],
    ["आइए", 56, -1],
    ["ाइए", 56, -1],
    ["ाए", 54, -1],
    ["िए", 54, -1],
    ["ओ", -1, -1],
    ["आओ", 61, -1],
    ["ाओ", 61, -1],
    ["कर", -1, -1, "r_CONSONANT"],
    ["अकर", 64, -1],
    ["आकर", 64, -1],
    ["ाकर", 64, -1],
    ["ा", -1, -1],
    ["ऊंगा", 68, -1],
    ["आऊंगा", 69, -1],
    ["ाऊंगा", 69, -1],
    ["ूंगा", 68, -1],
    ["एगा", 68, -1],
    ["आएगा", 73, -1],
    ["ाएगा", 73, -1],
    ["ेगा", 68, -1],
    ["ता", 68, -1, "r_CONSONANT"],
    ["अता", 77, -1],
    ["आता", 77, -1],
    ["ाता", 77, -1],
    ["ना", 68, -1, "r_CONSONANT"],
    ["अना", 81, -1],
    ["आना", 81, -1],
    ["ाना", 81, -1],
    ["आया", 68, -1],
    ["ाया", 68, -1],
    ["ि", -1, -1],
    ["ी", -1, -1],
    ["ऊंगी", 88, -1],
    ["आऊंगी", 89, -1],
    ["ाऊंगी", 89, -1],
    ["एंगी", 88, -1],
    ["आएंगी", 92, -1],
    ["ाएंगी", 92, -1],
    ["ूंगी", 88, -1],
    ["ेंगी", 88, -1],
    ["एगी", 88, -1],
    ["आएगी", 97, -1],
    ["ाएगी", 97, -1],
    ["ओगी", 88, -1],
    ["आओगी", 100, -1],
    ["ाओगी", 100, -1],
    ["ेगी", 88, -1],
    ["ोगी", 88, -1],
    ["ती", 88, -1, "r_CONSONANT"],
    ["अती", 105, -1],
    ["आती", 105, -1],
    ["ाती", 105, -1],
    ["नी", 88, -1, "r_CONSONANT"],
    ["अनी", 109, -1],
    ["ु", -1, -1],
    ["ू", -1, -1],
    ["े", -1, -1],
    ["एंगे", 113, -1],
    ["आएंगे", 114, -1],
    ["ाएंगे", 114, -1],
    ["ेंगे", 113, -1],
    ["ओगे", 113, -1],
    ["आओगे", 118, -1],
    ["ाओगे", 118, -1],
    ["ोगे", 113, -1],
    ["ते", 113, -1, "r_CONSONANT"],
    ["अते", 122, -1],
    ["आते", 122, -1],
    ["ाते", 122, -1],
    ["ने", 113, -1, "r_CONSONANT"],
    ["अने", 126, -1],
    ["आने", 126, -1],
    ["ाने", 126, -1],
    ["ो", -1, -1],
    ["्", -1, -1],
  );
}

const program = new HindiStemmer();

/** ISO 639-1 code. */
export const language = "hi";
/** Of Snowball. */
export const release = "3.1.1";
/** The stem of a word in lower case. */
export const stem = (word) => program.stem(word);
