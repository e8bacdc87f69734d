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

class NorwegianStemmer extends Machine {
  g_v = new Set("aeiouyåæêòóôø");
  g_s_ending = new Set("bcdfghjlmnoptvyz");
  I_p1 = 0;

  r_mark_regions() {
    let $v_1, $v_2, $v_3;
    this.I_p1 = this.limit;
    $v_1 = this.cursor;
    lab0: {
      while (true) {
        $v_2 = this.cursor;
        lab1: {
          while (true) {
            lab2: {
              if (this.cursor === this.limit || this.current[this.cursor] !== "'") {
                break lab2;
              }
              this.cursor += 1;
              break;
            }
            if (this.cursor >= this.limit) {
              break lab1;
            }
            this.cursor += 1;
          }
          break;
        }
        this.cursor = $v_2;
        if (!this.go_out_grouping(this.g_v)) {
          break lab0;
        }
        this.cursor += 1;
        if (!this.go_in_grouping(this.g_v)) {
          break lab0;
        }
        this.cursor += 1;
        break;
      }
      this.I_p1 = this.cursor;
    }
    this.cursor = $v_1;
    $v_3 = this.cursor;
    if (this.cursor + 3 > this.limit) {
      return false;
    }
    this.cursor += 3;
    lab0: {
      if (this.I_p1 >= this.cursor) {
        break lab0;
      }
      this.I_p1 = this.cursor;
    }
    this.cursor = $v_3;
    return true;
  }

  r_main_suffix() {
    let $among_var, $v_2, $v_3;
    if (this.cursor < this.I_p1) {
      return false;
    }
    $v_2 = this.limit_backward;
    this.limit_backward = this.I_p1;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_1);
    if ($among_var === 0) {
      this.limit_backward = $v_2;
      return false;
    }
    this.bra = this.cursor;
    this.limit_backward = $v_2;
    if ($among_var === 1) {
      this.slice_del();
    } else if ($among_var === 2) {
      $among_var = this.find_among_b(this.a_0);
      if ($among_var === 1) {
        this.slice_del();
      }
    } else if ($among_var === 3) {
      while (true) {
        $v_3 = this.limit - this.cursor;
        lab0: {
          if (!this.in_grouping_b(this.g_s_ending)) {
            break lab0;
          }
          break;
        }
        this.cursor = this.limit - $v_3;
        lab0: {
          if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "r") {
            break lab0;
          }
          this.cursor -= 1;
          lab1: {
            if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "e") {
              break lab1;
            }
            this.cursor -= 1;
            break lab0;
          }
          break;
        }
        this.cursor = this.limit - $v_3;
        if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "k") {
          return false;
        }
        this.cursor -= 1;
        if (!this.out_grouping_b(this.g_v)) {
          return false;
        }
        break;
      }
      this.slice_del();
    } else {
      this.slice_from("er");
    }
    return true;
  }

  r_consonant_pair() {
    let $v_1, $v_3;
    $v_1 = this.limit - this.cursor;
    if (this.cursor < this.I_p1) {
      return false;
    }
    $v_3 = this.limit_backward;
    this.limit_backward = this.I_p1;
    this.ket = this.cursor;
    if (this.find_among_b(this.a_2) === 0) {
      this.limit_backward = $v_3;
      return false;
    }
    this.bra = this.cursor;
    this.limit_backward = $v_3;
    this.cursor = this.limit - $v_1;
    if (this.cursor <= this.limit_backward) {
      return false;
    }
    this.cursor -= 1;
    this.bra = this.cursor;
    this.slice_del();
    return true;
  }

  r_other_suffix() {
    let $v_2;
    if (this.cursor < this.I_p1) {
      return false;
    }
    $v_2 = this.limit_backward;
    this.limit_backward = this.I_p1;
    this.ket = this.cursor;
    if (this.find_among_b(this.a_3) === 0) {
      this.limit_backward = $v_2;
      return false;
    }
    this.bra = this.cursor;
    this.limit_backward = $v_2;
    this.slice_del();
    return true;
  }

  _stem() {
    let $v_1, $v_2, $v_3;
    if (!this.r_mark_regions()) {
      return false;
    }
    this.limit_backward = this.cursor;
    this.cursor = this.limit;
    $v_1 = this.limit - this.cursor;
    this.r_main_suffix();
    this.cursor = this.limit - $v_1;
    $v_2 = this.limit - this.cursor;
    this.r_consonant_pair();
    this.cursor = this.limit - $v_2;
    $v_3 = this.limit - this.cursor;
    this.r_other_suffix();
    this.cursor = this.limit - $v_3;
    this.ket = this.cursor;
    if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "'") {
      return false;
    }
    this.cursor -= 1;
    this.bra = this.cursor;
    this.slice_del();
    this.cursor = this.limit_backward;
    return true;
  }
  a_0 = table(
    ["", -1, 1],
    ["ind", 0, -1],
    ["kk", 0, -1],
    ["nk", 0, -1],
    ["amm", 0, -1],
    ["omm", 0, -1],
    ["kap", 0, -1],
    ["skap", 6, 1],
    ["pp", 0, -1],
    ["lt", 0, -1],
    ["ast", 0, -1],
    ["øst", 0, -1],
    ["v", 0, -1],
    ["hav", 12, 1],
    ["giv", 12, 1],
  );
  a_1 = table(
    ["a", -1, 1],
    ["e", -1, 1],
    ["ede", 1, 1],
    ["ande", 1, 1],
    ["ende", 1, 1],
    ["ane", 1, 1],
    ["ene", 1, 1],
    ["hetene", 6, 1],
    ["erte", 1, 4],
    ["en", -1, 1],
    ["heten", 9, 1],
    ["ar", -1, 1],
    ["er", -1, 1],
    ["heter", 12, 1],
    ["s", -1, 3],
    ["as", 14, 1],
    ["es", 14, 1],
    ["edes", 16, 1],
    ["endes", 16, 1],
    ["enes", 16, 1],
    ["hetenes", 19, 1],
    ["ens", 14, 1],
    ["hetens", 21, 1],
    ["ers", 14, 2],
    ["ets", 14, 1],
    ["et", -1, 1],
    ["het", 25, 1],
    ["ert", -1, 4],
    ["ast", -1, 1],
  );
  a_2 = table(
    ["dt", -1, -1],
    ["vt", -1, -1],
  );
  a_3 = table(
    ["leg", -1, 1],
    ["eleg", 0, 1],
    ["ig", -1, 1],
    ["eig", 2, 1],
    ["lig", 2, 1],
    ["elig", 4, 1],
    ["els", -1, 1],
    ["lov", -1, 1],
    ["elov", 7, 1],
    ["slov", 7, 1],
    ["hetslov", 9, 1],
  );
}

const program = new NorwegianStemmer();

/** ISO 639-1 code. */
export const language = "no";
/** Of Snowball. */
export const release = "3.1.1";
/** The stem of a word in lower case. */
export const stem = (word) => program.stem(word);
