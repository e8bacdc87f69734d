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

class NepaliStemmer extends Machine {

  r_remove_category_1() {
    let $among_var;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_0);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if ($among_var === 1) {
      this.slice_del();
    } else {
      while (true) {
        lab0: {
          if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "ए") {
            break lab0;
          }
          this.cursor -= 1;
          break;
        }
        lab0: {
          if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "े") {
            break lab0;
          }
          this.cursor -= 1;
          break;
        }
        this.slice_del();
        break;
      }
    }
    return true;
  }

  r_remove_category_2() {
    let $among_var;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_1);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if ($among_var === 1) {
      while (true) {
        lab0: {
          if (!this.eq_s_b("यौ")) {
            break lab0;
          }
          break;
        }
        lab0: {
          if (!this.eq_s_b("छौ")) {
            break lab0;
          }
          break;
        }
        lab0: {
          if (!this.eq_s_b("नौ")) {
            break lab0;
          }
          break;
        }
        if (!this.eq_s_b("थे")) {
          return false;
        }
        break;
      }
      this.slice_del();
    } else {
      if (!this.eq_s_b("त्र")) {
        return false;
      }
      this.slice_del();
    }
    return true;
  }

  r_remove_category_3() {
    this.ket = this.cursor;
    if (this.find_among_b(this.a_2) === 0) {
      return false;
    }
    this.bra = this.cursor;
    this.slice_del();
    return true;
  }

  _stem() {
    let $v_1, $v_2, $v_3;
    this.limit_backward = this.cursor;
    this.cursor = this.limit;
    $v_1 = this.limit - this.cursor;
    this.r_remove_category_1();
    this.cursor = this.limit - $v_1;
    while (true) {
      $v_2 = this.limit - this.cursor;
      lab0: {
        $v_3 = this.limit - this.cursor;
        this.r_remove_category_2();
        this.cursor = this.limit - $v_3;
        if (!this.r_remove_category_3()) {
          break lab0;
        }
        continue;
      }
      this.cursor = this.limit - $v_2;
      break;
    }
    this.cursor = this.limit_backward;
    return true;
  }
  a_0 = table(
    ["लाइ", -1, 1],
    ["लाई", -1, 1],
    ["सँग", -1, 1],
    ["संग", -1, 1],
    ["मार्फत", -1, 1],
    ["रत", -1, 1],
    ["का", -1, 2],
    ["मा", -1, 1],
    ["द्वारा", -1, 1],
    ["कि", -1, 2],
    ["पछि", -1, 1],
    ["की", -1, 2],
    ["ले", -1, 1],
    ["कै", -1, 2],
    ["सँगै", -1, 1],
    ["मै", -1, 1],
    ["को", -1, 2],
  );
  a_1 = table(
    ["ँ", -1, 1],
    ["ं", -1, 1],
    ["ै", -1, 2],
  );
  a_2 = table(
    ["थिए", -1, 1],
    ["छ", -1, 1],
    ["इछ", 1, 1],
    ["एछ", 1, 1],
    ["िछ", 1, 1],
    ["ेछ", 1, 1],
    ["नेछ", 5, 1],
    ["हुनेछ", 6, 1],
    ["इन्छ", 1, 1],
    ["िन्छ", 1, 1],
    ["हुन्छ", 1, 1],
    ["एका", -1, 1],
    ["इएका", 11, 1],
    ["िएका", 11, 1],
    ["ेका", -1, 1],
    ["नेका", 14, 1],
    ["दा", -1, 1],
    ["इदा", 16, 1],
    ["िदा", 16, 1],
    ["देखि", -1, 1],
    ["माथि", -1, 1],
    ["एकी", -1, 1],
    ["इएकी", 21, 1],
    ["िएकी", 21, 1],
    ["ेकी", -1, 1],
    ["देखी", -1, 1],
    ["थी", -1, 1],
    ["दी", -1, 1],
    ["छु", -1, 1],
    ["एछु", 28, 1],
    ["ेछु", 28, 1],
    ["नेछु", 30, 1],
    ["नु", -1, 1],
    ["हरु", -1, 1],
    ["हरू", -1, 1],
    ["छे", -1, 1],
    ["थे", -1, 1],
    ["ने", -1, 1],
    ["एकै", -1, 1],
    ["ेकै", -1, 1],
    ["नेकै", 39, 1],
    ["दै", -1, 1],
    ["इदै", 41, 1],
    ["िदै", 41, 1],
    ["एको", -1, 1],
    ["इएको", 44, 1],
    ["िएको", 44, 1],
    ["ेको", -1, 1],
    ["नेको", 47, 1],
    ["दो", -1, 1],
    ["इदो", 49, 1],
    ["िदो", 49, 1],
    ["यो", -1, 1],
    ["इयो", 52, 1],
    ["भयो", 52, 1],
    ["ियो", 52, 1],
    ["थियो", 55, 1],
    ["दियो", 55, 1],
    ["थ्यो", 52, 1],
    ["छौ", -1, 1],
    ["इछौ", 59, 1],
    ["एछौ", 59, 1],
    ["िछौ", 59, 1],
    ["ेछौ", 59, 1],
    ["नेछौ", 63, 1],
    ["यौ", -1, 1],
    ["थियौ", 65, 1],
    ["छ्यौ", 65, 1],
    ["थ्यौ", 65, 1],
    ["छन्", -1, 1],
    ["इछन्", 69, 1],
    ["एछन्", 69, 1],
    ["िछन्", 69, 1],
    ["ेछन्", 69, 1],
    ["नेछन्", 73, 1],
    ["लान्", -1, 1],
    ["छिन्", -1, 1],
    ["थिन्", -1, 1],
    ["पर्", -1, 1],
    ["इस्", -1, 1],
    ["थिइस्", 79, 1],
    ["छस्", -1, 1],
    ["इछस्", 81, 1],
    ["एछस्", 81, 1],
    ["िछस्", 81, 1],
    ["ेछस्", 81, 1],
    ["नेछस्", 85, 1],
    ["िस्", -1, 1],
    ["थिस्", 87, 1],
    ["छेस्", -1, 1],
    ["होस्", -1, 1],
  );
}

const program = new NepaliStemmer();

/** ISO 639-1 code. */
export const language = "ne";
/** Of Snowball. */
export const release = "3.1.1";
/** The stem of a word in lower case. */
export const stem = (word) => program.stem(word);
