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

class GermanStemmer extends Machine {
  g_v = new Set("aeiouyäöü");
  g_et_ending = new Set("Udfgklmnrstzä");
  g_s_ending = new Set("bdfghklmnrt");
  g_st_ending = new Set("bdfghklmnt");
  I_p2 = 0;
  I_p1 = 0;

  r_prelude() {
    let $among_var, $v_1, $v_2, $v_3, $v_4, $v_5;
    $v_1 = this.cursor;
    while (true) {
      $v_2 = this.cursor;
      lab0: {
        while (true) {
          $v_3 = this.cursor;
          lab1: {
            if (!this.in_grouping(this.g_v)) {
              break lab1;
            }
            this.bra = this.cursor;
            while (true) {
              $v_4 = this.cursor;
              lab2: {
                if (this.cursor === this.limit || this.current[this.cursor] !== "u") {
                  break lab2;
                }
                this.cursor += 1;
                this.ket = this.cursor;
                if (!this.in_grouping(this.g_v)) {
                  break lab2;
                }
                this.slice_from("U");
                break;
              }
              this.cursor = $v_4;
              if (this.cursor === this.limit || this.current[this.cursor] !== "y") {
                break lab1;
              }
              this.cursor += 1;
              this.ket = this.cursor;
              if (!this.in_grouping(this.g_v)) {
                break lab1;
              }
              this.slice_from("Y");
              break;
            }
            this.cursor = $v_3;
            break;
          }
          this.cursor = $v_3;
          if (this.cursor >= this.limit) {
            break lab0;
          }
          this.cursor += 1;
        }
        continue;
      }
      this.cursor = $v_2;
      break;
    }
    this.cursor = $v_1;
    while (true) {
      $v_5 = this.cursor;
      lab0: {
        this.bra = this.cursor;
        $among_var = this.find_among(this.a_0);
        this.ket = this.cursor;
        if ($among_var === 1) {
          this.slice_from("ss");
        } else if ($among_var === 2) {
          this.slice_from("ä");
        } else if ($among_var === 3) {
          this.slice_from("ö");
        } else if ($among_var === 4) {
          this.slice_from("ü");
        } else if ($among_var === 5) {
          if (this.cursor >= this.limit) {
            break lab0;
          }
          this.cursor += 1;
        }
        continue;
      }
      this.cursor = $v_5;
      break;
    }
    return true;
  }

  r_mark_regions() {
    let $I_x, $v_1;
    this.I_p1 = this.limit;
    this.I_p2 = this.limit;
    $v_1 = this.cursor;
    if (this.cursor + 3 > this.limit) {
      return false;
    }
    this.cursor += 3;
    $I_x = this.cursor;
    this.cursor = $v_1;
    if (!this.go_out_grouping(this.g_v)) {
      return false;
    }
    this.cursor += 1;
    if (!this.go_in_grouping(this.g_v)) {
      return false;
    }
    this.cursor += 1;
    this.I_p1 = this.cursor;
    lab0: {
      if (this.I_p1 >= $I_x) {
        break lab0;
      }
      this.I_p1 = $I_x;
    }
    if (!this.go_out_grouping(this.g_v)) {
      return false;
    }
    this.cursor += 1;
    if (!this.go_in_grouping(this.g_v)) {
      return false;
    }
    this.cursor += 1;
    this.I_p2 = this.cursor;
    return true;
  }

  r_postlude() {
    let $among_var, $v_1;
    while (true) {
      $v_1 = this.cursor;
      lab0: {
        this.bra = this.cursor;
        $among_var = this.find_among(this.a_1);
        this.ket = this.cursor;
        if ($among_var === 1) {
          this.slice_from("y");
        } else if ($among_var === 2) {
          this.slice_from("u");
        } else if ($among_var === 3) {
          this.slice_from("a");
        } else if ($among_var === 4) {
          this.slice_from("o");
        } else {
          if (this.cursor >= this.limit) {
            break lab0;
          }
          this.cursor += 1;
        }
        continue;
      }
      this.cursor = $v_1;
      break;
    }
    return true;
  }

  r_R1() {
    return this.I_p1 <= this.cursor;
  }

  r_R2() {
    return this.I_p2 <= this.cursor;
  }

  r_standard_suffix() {
    let $among_var, $v_1, $v_10, $v_2, $v_3, $v_4, $v_5, $v_6, $v_7, $v_8, $v_9;
    $v_1 = this.limit - this.cursor;
    lab0: {
      this.ket = this.cursor;
      $among_var = this.find_among_b(this.a_2);
      if ($among_var === 0) {
        break lab0;
      }
      this.bra = this.cursor;
      if (!this.r_R1()) {
        break lab0;
      }
      if ($among_var === 1) {
        lab1: {
          if (!this.eq_s_b("syst")) {
            break lab1;
          }
          break lab0;
        }
        this.slice_del();
      } else if ($among_var === 2) {
        this.slice_del();
      } else if ($among_var === 3) {
        this.slice_del();
        $v_2 = this.limit - this.cursor;
        lab1: {
          this.ket = this.cursor;
          if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "s") {
            this.cursor = this.limit - $v_2;
            break lab1;
          }
          this.cursor -= 1;
          this.bra = this.cursor;
          if (!this.eq_s_b("nis")) {
            this.cursor = this.limit - $v_2;
            break lab1;
          }
          this.slice_del();
        }
      } else if ($among_var === 4) {
        if (!this.in_grouping_b(this.g_s_ending)) {
          break lab0;
        }
        this.slice_del();
      } else {
        this.slice_from("l");
      }
    }
    this.cursor = this.limit - $v_1;
    $v_3 = this.limit - this.cursor;
    lab0: {
      this.ket = this.cursor;
      $among_var = this.find_among_b(this.a_4);
      if ($among_var === 0) {
        break lab0;
      }
      this.bra = this.cursor;
      if (!this.r_R1()) {
        break lab0;
      }
      if ($among_var === 1) {
        this.slice_del();
      } else if ($among_var === 2) {
        if (!this.in_grouping_b(this.g_st_ending)) {
          break lab0;
        }
        if (this.cursor - 3 < this.limit_backward) {
          break lab0;
        }
        this.cursor -= 3;
        this.slice_del();
      } else {
        $v_4 = this.limit - this.cursor;
        if (!this.in_grouping_b(this.g_et_ending)) {
          break lab0;
        }
        this.cursor = this.limit - $v_4;
        $v_5 = this.limit - this.cursor;
        lab1: {
          if (this.find_among_b(this.a_3) === 0) {
            break lab1;
          }
          break lab0;
        }
        this.cursor = this.limit - $v_5;
        this.slice_del();
      }
    }
    this.cursor = this.limit - $v_3;
    $v_6 = this.limit - this.cursor;
    lab0: {
      this.ket = this.cursor;
      $among_var = this.find_among_b(this.a_6);
      if ($among_var === 0) {
        break lab0;
      }
      this.bra = this.cursor;
      if (!this.r_R2()) {
        break lab0;
      }
      if ($among_var === 1) {
        this.slice_del();
        $v_7 = this.limit - this.cursor;
        lab1: {
          this.ket = this.cursor;
          if (!this.eq_s_b("ig")) {
            this.cursor = this.limit - $v_7;
            break lab1;
          }
          this.bra = this.cursor;
          lab2: {
            if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "e") {
              break lab2;
            }
            this.cursor -= 1;
            this.cursor = this.limit - $v_7;
            break lab1;
          }
          if (!this.r_R2()) {
            this.cursor = this.limit - $v_7;
            break lab1;
          }
          this.slice_del();
        }
      } else if ($among_var === 2) {
        lab1: {
          if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "e") {
            break lab1;
          }
          this.cursor -= 1;
          break lab0;
        }
        this.slice_del();
      } else if ($among_var === 3) {
        this.slice_del();
        $v_8 = this.limit - this.cursor;
        lab1: {
          this.ket = this.cursor;
          while (true) {
            lab2: {
              if (!this.eq_s_b("er")) {
                break lab2;
              }
              break;
            }
            if (!this.eq_s_b("en")) {
              this.cursor = this.limit - $v_8;
              break lab1;
            }
            break;
          }
          this.bra = this.cursor;
          if (!this.r_R1()) {
            this.cursor = this.limit - $v_8;
            break lab1;
          }
          this.slice_del();
        }
      } else {
        this.slice_del();
        $v_9 = this.limit - this.cursor;
        lab1: {
          this.ket = this.cursor;
          if (this.find_among_b(this.a_5) === 0) {
            this.cursor = this.limit - $v_9;
            break lab1;
          }
          this.bra = this.cursor;
          if (!this.r_R2()) {
            this.cursor = this.limit - $v_9;
            break lab1;
          }
          this.slice_del();
        }
      }
    }
    this.cursor = this.limit - $v_6;
    $v_10 = this.limit - this.cursor;
    lab0: {
      this.ket = this.cursor;
      if (this.find_among_b(this.a_7) === 0) {
        break lab0;
      }
      this.bra = this.cursor;
      if (this.cursor <= this.limit_backward) {
        break lab0;
      }
      this.cursor -= 1;
      if (this.cursor <= this.limit_backward) {
        break lab0;
      }
      this.slice_del();
    }
    this.cursor = this.limit - $v_10;
    return true;
  }

  _stem() {
    let $v_1, $v_2, $v_3;
    $v_1 = this.cursor;
    this.r_prelude();
    this.cursor = $v_1;
    $v_2 = this.cursor;
    this.r_mark_regions();
    this.cursor = $v_2;
    this.limit_backward = this.cursor;
    this.cursor = this.limit;
    this.r_standard_suffix();
    this.cursor = this.limit_backward;
    $v_3 = this.cursor;
    this.r_postlude();
    this.cursor = $v_3;
    return true;
  }
  a_0 = table(
    ["", -1, 5],
    ["ae", 0, 2],
    ["oe", 0, 3],
    ["qu", 0, -1],
    ["ue", 0, 4],
    ["ß", 0, 1],
  );
  a_1 = table(
    ["", -1, 5],
    ["U", 0, 2],
    ["Y", 0, 1],
    ["ä", 0, 3],
    ["ö", 0, 4],
    ["ü", 0, 2],
  );
  a_2 = table(
    ["e", -1, 3],
    ["em", -1, 1],
    ["en", -1, 3],
    ["erinnen", 2, 2],
    ["erin", -1, 2],
    ["ln", -1, 5],
    ["ern", -1, 2],
    ["er", -1, 2],
    ["s", -1, 4],
    ["es", 8, 3],
    ["lns", 8, 5],
  );
  a_3 = table(
    ["tick", -1, -1],
    ["plan", -1, -1],
    ["geordn", -1, -1],
    ["intern", -1, -1],
    ["tr", -1, -1],
  );
  a_4 = table(
    ["en", -1, 1],
    ["er", -1, 1],
    ["et", -1, 3],
    ["st", -1, 2],
    ["est", 3, 1],
  );
  a_5 = table(
    ["ig", -1, 1],
    ["lich", -1, 1],
  );
  a_6 = table(
    ["end", -1, 1],
    ["ig", -1, 2],
    ["ung", -1, 1],
    ["lich", -1, 3],
    ["isch", -1, 2],
    ["ik", -1, 2],
    ["heit", -1, 3],
    ["keit", -1, 4],
  );
  a_7 = table(
    ["'", -1, 1],
    ["'sch", -1, 1],
    ["'s", -1, 1],
  );
}

const program = new GermanStemmer();

/** ISO 639-1 code. */
export const language = "de";
/** Of Snowball. */
export const release = "3.1.1";
/** The stem of a word in lower case. */
export const stem = (word) => program.stem(word);
