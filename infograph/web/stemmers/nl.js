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

class DutchStemmer extends Machine {
  g_E = new Set("eèéêë");
  g_AIOU = new Set("aiouàáâäìíîïòóôöùúûü");
  g_AEIOU = new Set("aeiouàáâäèéêëìíîïòóôöùúûü");
  g_v = new Set("aeiouyàáâäèéêëìíîïòóôöùúûü");
  g_v_WX = new Set("aeiouwxyàáâäèéêëìíîïòóôöùúûü");
  B_GE_removed = false;
  I_p2 = 0;
  I_p1 = 0;

  r_R1() {
    return this.I_p1 <= this.cursor;
  }

  r_R2() {
    return this.I_p2 <= this.cursor;
  }

  r_V() {
    let $v_1;
    $v_1 = this.limit - this.cursor;
    while (true) {
      lab0: {
        if (!this.in_grouping_b(this.g_v)) {
          break lab0;
        }
        break;
      }
      if (!this.eq_s_b("ij")) {
        return false;
      }
      break;
    }
    this.cursor = this.limit - $v_1;
    return true;
  }

  r_VX() {
    let $v_1;
    $v_1 = this.limit - this.cursor;
    if (this.cursor <= this.limit_backward) {
      return false;
    }
    this.cursor -= 1;
    while (true) {
      lab0: {
        if (!this.in_grouping_b(this.g_v)) {
          break lab0;
        }
        break;
      }
      if (!this.eq_s_b("ij")) {
        return false;
      }
      break;
    }
    this.cursor = this.limit - $v_1;
    return true;
  }

  r_C() {
    let $v_1;
    $v_1 = this.limit - this.cursor;
    lab0: {
      if (!this.eq_s_b("ij")) {
        break lab0;
      }
      return false;
    }
    if (!this.out_grouping_b(this.g_v)) {
      return false;
    }
    this.cursor = this.limit - $v_1;
    return true;
  }

  r_lengthen_V() {
    let $S_ch, $among_var, $c, $v_1, $v_2, $v_3, $v_4, $v_5;
    $v_1 = this.limit - this.cursor;
    lab0: {
      if (!this.out_grouping_b(this.g_v_WX)) {
        break lab0;
      }
      this.ket = this.cursor;
      $among_var = this.find_among_b(this.a_0);
      if ($among_var === 0) {
        break lab0;
      }
      this.bra = this.cursor;
      if ($among_var === 1) {
        $v_2 = this.limit - this.cursor;
        while (true) {
          lab1: {
            if (!this.out_grouping_b(this.g_AEIOU)) {
              break lab1;
            }
            break;
          }
          if (this.cursor > this.limit_backward) {
            break lab0;
          }
          break;
        }
        this.cursor = this.limit - $v_2;
        $S_ch = this.slice_to();
        $c = this.cursor;
        this.insert(this.cursor, this.cursor, $S_ch);
        this.cursor = $c;
      } else if ($among_var === 2) {
        $v_3 = this.limit - this.cursor;
        while (true) {
          lab1: {
            if (!this.out_grouping_b(this.g_AEIOU)) {
              break lab1;
            }
            break;
          }
          if (this.cursor > this.limit_backward) {
            break lab0;
          }
          break;
        }
        $v_4 = this.limit - this.cursor;
        lab1: {
          while (true) {
            lab2: {
              if (!this.in_grouping_b(this.g_AIOU)) {
                break lab2;
              }
              break;
            }
            if (!this.in_grouping_b(this.g_E)) {
              break lab1;
            }
            if (this.cursor > this.limit_backward) {
              break lab1;
            }
            break;
          }
          break lab0;
        }
        this.cursor = this.limit - $v_4;
        $v_5 = this.limit - this.cursor;
        lab1: {
          if (this.cursor <= this.limit_backward) {
            break lab1;
          }
          this.cursor -= 1;
          if (!this.in_grouping_b(this.g_AIOU)) {
            break lab1;
          }
          if (!this.out_grouping_b(this.g_AEIOU)) {
            break lab1;
          }
          break lab0;
        }
        this.cursor = this.limit - $v_5;
        this.cursor = this.limit - $v_3;
        $S_ch = this.slice_to();
        $c = this.cursor;
        this.insert(this.cursor, this.cursor, $S_ch);
        this.cursor = $c;
      } else if ($among_var === 3) {
        this.slice_from("eëe");
      } else {
        this.slice_from("iee");
      }
    }
    this.cursor = this.limit - $v_1;
    return true;
  }

  r_Step_1() {
    let $among_var, $v_1, $v_2, $v_3, $v_4, $v_5;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_1);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if ($among_var === 1) {
      this.slice_del();
    } else if ($among_var === 2) {
      if (!this.r_R1()) {
        return false;
      }
      $v_1 = this.limit - this.cursor;
      lab0: {
        if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "t") {
          break lab0;
        }
        this.cursor -= 1;
        if (!this.r_R1()) {
          break lab0;
        }
        return false;
      }
      this.cursor = this.limit - $v_1;
      if (!this.r_C()) {
        return false;
      }
      this.slice_del();
    } else if ($among_var === 3) {
      if (!this.r_R1()) {
        return false;
      }
      this.slice_from("ie");
    } else if ($among_var === 4) {
      while (true) {
        $v_2 = this.limit - this.cursor;
        lab0: {
          $v_3 = this.limit - this.cursor;
          if (!this.eq_s_b("ar")) {
            break lab0;
          }
          if (!this.r_R1()) {
            break lab0;
          }
          if (!this.r_C()) {
            break lab0;
          }
          this.cursor = this.limit - $v_3;
          this.slice_del();
          this.r_lengthen_V();
          break;
        }
        this.cursor = this.limit - $v_2;
        lab0: {
          $v_4 = this.limit - this.cursor;
          if (!this.eq_s_b("er")) {
            break lab0;
          }
          if (!this.r_R1()) {
            break lab0;
          }
          if (!this.r_C()) {
            break lab0;
          }
          this.cursor = this.limit - $v_4;
          this.slice_del();
          break;
        }
        this.cursor = this.limit - $v_2;
        if (!this.r_R1()) {
          return false;
        }
        if (!this.r_C()) {
          return false;
        }
        this.slice_from("e");
        break;
      }
    } else if ($among_var === 5) {
      if (!this.r_R1()) {
        return false;
      }
      this.slice_from("é");
    } else if ($among_var === 6) {
      if (!this.r_R1()) {
        return false;
      }
      if (!this.r_V()) {
        return false;
      }
      this.slice_from("au");
    } else if ($among_var === 7) {
      while (true) {
        $v_5 = this.limit - this.cursor;
        lab0: {
          if (!this.eq_s_b("hed")) {
            break lab0;
          }
          if (!this.r_R1()) {
            break lab0;
          }
          this.bra = this.cursor;
          this.slice_from("heid");
          break;
        }
        this.cursor = this.limit - $v_5;
        lab0: {
          if (!this.eq_s_b("nd")) {
            break lab0;
          }
          this.slice_del();
          break;
        }
        this.cursor = this.limit - $v_5;
        lab0: {
          if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "d") {
            break lab0;
          }
          this.cursor -= 1;
          if (!this.r_R1()) {
            break lab0;
          }
          if (!this.r_C()) {
            break lab0;
          }
          this.bra = this.cursor;
          this.slice_del();
          break;
        }
        this.cursor = this.limit - $v_5;
        lab0: {
          while (true) {
            lab1: {
              if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "i") {
                break lab1;
              }
              this.cursor -= 1;
              break;
            }
            if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "j") {
              break lab0;
            }
            this.cursor -= 1;
            break;
          }
          if (!this.r_V()) {
            break lab0;
          }
          this.slice_del();
          break;
        }
        this.cursor = this.limit - $v_5;
        if (!this.r_R1()) {
          return false;
        }
        if (!this.r_C()) {
          return false;
        }
        this.slice_del();
        this.r_lengthen_V();
        break;
      }
    } else {
      this.slice_from("nd");
    }
    return true;
  }

  r_Step_2() {
    let $among_var, $v_1;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_2);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if ($among_var === 1) {
      while (true) {
        $v_1 = this.limit - this.cursor;
        lab0: {
          if (!this.eq_s_b("'t")) {
            break lab0;
          }
          this.bra = this.cursor;
          this.slice_del();
          break;
        }
        this.cursor = this.limit - $v_1;
        lab0: {
          if (!this.eq_s_b("et")) {
            break lab0;
          }
          this.bra = this.cursor;
          if (!this.r_R1()) {
            break lab0;
          }
          if (!this.r_C()) {
            break lab0;
          }
          this.slice_del();
          break;
        }
        this.cursor = this.limit - $v_1;
        lab0: {
          if (!this.eq_s_b("rnt")) {
            break lab0;
          }
          this.bra = this.cursor;
          this.slice_from("rn");
          break;
        }
        this.cursor = this.limit - $v_1;
        lab0: {
          if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "t") {
            break lab0;
          }
          this.cursor -= 1;
          this.bra = this.cursor;
          if (!this.r_R1()) {
            break lab0;
          }
          if (!this.r_VX()) {
            break lab0;
          }
          this.slice_del();
          break;
        }
        this.cursor = this.limit - $v_1;
        lab0: {
          if (!this.eq_s_b("ink")) {
            break lab0;
          }
          this.bra = this.cursor;
          this.slice_from("ing");
          break;
        }
        this.cursor = this.limit - $v_1;
        lab0: {
          if (!this.eq_s_b("mp")) {
            break lab0;
          }
          this.bra = this.cursor;
          this.slice_from("m");
          break;
        }
        this.cursor = this.limit - $v_1;
        lab0: {
          if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "'") {
            break lab0;
          }
          this.cursor -= 1;
          this.bra = this.cursor;
          if (!this.r_R1()) {
            break lab0;
          }
          this.slice_del();
          break;
        }
        this.cursor = this.limit - $v_1;
        this.bra = this.cursor;
        if (!this.r_R1()) {
          return false;
        }
        if (!this.r_C()) {
          return false;
        }
        this.slice_del();
        break;
      }
    } else if ($among_var === 2) {
      if (!this.r_R1()) {
        return false;
      }
      this.slice_from("g");
    } else if ($among_var === 3) {
      if (!this.r_R1()) {
        return false;
      }
      this.slice_from("lijk");
    } else if ($among_var === 4) {
      if (!this.r_R1()) {
        return false;
      }
      this.slice_from("isch");
    } else if ($among_var === 5) {
      if (!this.r_R1()) {
        return false;
      }
      if (!this.r_C()) {
        return false;
      }
      this.slice_del();
    } else if ($among_var === 6) {
      if (!this.r_R1()) {
        return false;
      }
      this.slice_from("t");
    } else if ($among_var === 7) {
      if (!this.r_R1()) {
        return false;
      }
      this.slice_from("s");
    } else if ($among_var === 8) {
      if (!this.r_R1()) {
        return false;
      }
      this.slice_from("r");
    } else if ($among_var === 9) {
      if (!this.r_R1()) {
        return false;
      }
      this.slice_del();
      this.insert(this.cursor, this.cursor, "l");
      this.r_lengthen_V();
    } else if ($among_var === 10) {
      if (!this.r_R1()) {
        return false;
      }
      if (!this.r_C()) {
        return false;
      }
      this.slice_del();
      this.insert(this.cursor, this.cursor, "en");
      this.r_lengthen_V();
    } else {
      if (!this.r_R1()) {
        return false;
      }
      if (!this.r_C()) {
        return false;
      }
      this.slice_from("ief");
    }
    return true;
  }

  r_Step_3() {
    let $among_var, $v_1;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_3);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if ($among_var === 1) {
      if (!this.r_R1()) {
        return false;
      }
      this.slice_from("eer");
    } else if ($among_var === 2) {
      if (!this.r_R1()) {
        return false;
      }
      this.slice_del();
      this.r_lengthen_V();
    } else if ($among_var === 3) {
      if (!this.r_R1()) {
        return false;
      }
      this.slice_del();
    } else if ($among_var === 4) {
      this.slice_from("r");
    } else if ($among_var === 5) {
      while (true) {
        $v_1 = this.limit - this.cursor;
        lab0: {
          if (!this.eq_s_b("ild")) {
            break lab0;
          }
          this.slice_from("er");
          break;
        }
        this.cursor = this.limit - $v_1;
        if (!this.r_R1()) {
          return false;
        }
        this.slice_del();
        this.r_lengthen_V();
        break;
      }
    } else if ($among_var === 6) {
      if (!this.r_R1()) {
        return false;
      }
      if (!this.r_C()) {
        return false;
      }
      this.slice_from("aar");
    } else if ($among_var === 7) {
      if (!this.r_R2()) {
        return false;
      }
      this.slice_del();
      this.insert(this.cursor, this.cursor, "f");
      this.r_lengthen_V();
    } else if ($among_var === 8) {
      if (!this.r_R2()) {
        return false;
      }
      this.slice_del();
      this.insert(this.cursor, this.cursor, "g");
      this.r_lengthen_V();
    } else if ($among_var === 9) {
      if (!this.r_R1()) {
        return false;
      }
      if (!this.r_C()) {
        return false;
      }
      this.slice_from("t");
    } else {
      if (!this.r_R1()) {
        return false;
      }
      if (!this.r_C()) {
        return false;
      }
      this.slice_from("d");
    }
    return true;
  }

  r_Step_4() {
    let $among_var, $v_1, $v_2;
    while (true) {
      $v_1 = this.limit - this.cursor;
      lab0: {
        this.ket = this.cursor;
        $among_var = this.find_among_b(this.a_4);
        if ($among_var === 0) {
          break lab0;
        }
        this.bra = this.cursor;
        if ($among_var === 1) {
          if (!this.r_R1()) {
            break lab0;
          }
          this.slice_from("ie");
        } else if ($among_var === 2) {
          if (!this.r_R1()) {
            break lab0;
          }
          this.slice_from("eer");
        } else if ($among_var === 3) {
          if (!this.r_R1()) {
            break lab0;
          }
          this.slice_del();
        } else if ($among_var === 4) {
          if (!this.r_R1()) {
            break lab0;
          }
          if (!this.r_V()) {
            break lab0;
          }
          this.slice_from("n");
        } else if ($among_var === 5) {
          if (!this.r_R1()) {
            break lab0;
          }
          if (!this.r_V()) {
            break lab0;
          }
          this.slice_from("l");
        } else if ($among_var === 6) {
          if (!this.r_R1()) {
            break lab0;
          }
          if (!this.r_V()) {
            break lab0;
          }
          this.slice_from("r");
        } else if ($among_var === 7) {
          if (!this.r_R1()) {
            break lab0;
          }
          this.slice_from("teer");
        } else if ($among_var === 8) {
          if (!this.r_R1()) {
            break lab0;
          }
          this.slice_from("lijk");
        } else {
          if (!this.r_R1()) {
            break lab0;
          }
          if (!this.r_C()) {
            break lab0;
          }
          this.slice_del();
          this.r_lengthen_V();
        }
        break;
      }
      this.cursor = this.limit - $v_1;
      this.ket = this.cursor;
      if (this.find_among_b(this.a_5) === 0) {
        return false;
      }
      this.bra = this.cursor;
      if (!this.r_R1()) {
        return false;
      }
      $v_2 = this.limit - this.cursor;
      lab0: {
        if (!this.eq_s_b("inn")) {
          break lab0;
        }
        if (this.cursor > this.limit_backward) {
          break lab0;
        }
        return false;
      }
      this.cursor = this.limit - $v_2;
      if (!this.r_C()) {
        return false;
      }
      this.slice_del();
      this.r_lengthen_V();
      break;
    }
    return true;
  }

  r_Step_7() {
    let $among_var;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_6);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    this.slice_from(this.as_6[$among_var - 1]);
    return true;
  }

  r_Step_6() {
    let $among_var, $v_1;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_7);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if ($among_var === 1) {
      this.slice_from("b");
    } else if ($among_var === 2) {
      this.slice_from("c");
    } else if ($among_var === 3) {
      this.slice_from("d");
    } else if ($among_var === 4) {
      this.slice_from("f");
    } else if ($among_var === 5) {
      this.slice_from("g");
    } else if ($among_var === 6) {
      this.slice_from("h");
    } else if ($among_var === 7) {
      this.slice_from("j");
    } else if ($among_var === 8) {
      this.slice_from("k");
    } else if ($among_var === 9) {
      this.slice_from("l");
    } else if ($among_var === 10) {
      this.slice_from("m");
    } else if ($among_var === 11) {
      $v_1 = this.limit - this.cursor;
      lab0: {
        if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "i") {
          break lab0;
        }
        this.cursor -= 1;
        if (this.cursor > this.limit_backward) {
          break lab0;
        }
        return false;
      }
      this.cursor = this.limit - $v_1;
      this.slice_from("n");
    } else if ($among_var === 12) {
      this.slice_from("p");
    } else if ($among_var === 13) {
      this.slice_from("q");
    } else if ($among_var === 14) {
      this.slice_from("r");
    } else if ($among_var === 15) {
      this.slice_from("s");
    } else if ($among_var === 16) {
      this.slice_from("t");
    } else if ($among_var === 17) {
      this.slice_from("v");
    } else if ($among_var === 18) {
      this.slice_from("w");
    } else if ($among_var === 19) {
      this.slice_from("x");
    } else {
      this.slice_from("z");
    }
    return true;
  }

  r_Step_1c() {
    let $among_var, $v_1, $v_2, $v_3, $v_4;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_8);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if (!this.r_R1()) {
      return false;
    }
    if (!this.r_C()) {
      return false;
    }
    if ($among_var === 1) {
      $v_1 = this.limit - this.cursor;
      lab0: {
        if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "n") {
          break lab0;
        }
        this.cursor -= 1;
        if (!this.r_R1()) {
          break lab0;
        }
        return false;
      }
      this.cursor = this.limit - $v_1;
      while (true) {
        $v_2 = this.limit - this.cursor;
        lab0: {
          if (!this.eq_s_b("in")) {
            break lab0;
          }
          if (this.cursor > this.limit_backward) {
            break lab0;
          }
          this.slice_from("n");
          break;
        }
        this.cursor = this.limit - $v_2;
        this.slice_del();
        break;
      }
    } else {
      $v_3 = this.limit - this.cursor;
      lab0: {
        if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "h") {
          break lab0;
        }
        this.cursor -= 1;
        if (!this.r_R1()) {
          break lab0;
        }
        return false;
      }
      this.cursor = this.limit - $v_3;
      $v_4 = this.limit - this.cursor;
      lab0: {
        if (!this.eq_s_b("en")) {
          break lab0;
        }
        if (this.cursor > this.limit_backward) {
          break lab0;
        }
        return false;
      }
      this.cursor = this.limit - $v_4;
      this.slice_del();
    }
    return true;
  }

  r_Lose_prefix() {
    let $among_var, $v_1, $v_2, $v_3, $v_4, $v_5;
    this.bra = this.cursor;
    if (!this.eq_s("ge")) {
      return false;
    }
    this.ket = this.cursor;
    $v_1 = this.cursor;
    if (this.cursor + 3 > this.limit) {
      return false;
    }
    this.cursor += 3;
    this.cursor = $v_1;
    $v_2 = this.cursor;
    while (true) {
      $v_3 = this.cursor;
      lab0: {
        while (true) {
          lab1: {
            if (!this.eq_s("ij")) {
              break lab1;
            }
            break;
          }
          if (!this.in_grouping(this.g_v)) {
            break lab0;
          }
          break;
        }
        break;
      }
      this.cursor = $v_3;
      if (this.cursor >= this.limit) {
        return false;
      }
      this.cursor += 1;
    }
    while (true) {
      $v_4 = this.cursor;
      lab0: {
        while (true) {
          lab1: {
            if (!this.eq_s("ij")) {
              break lab1;
            }
            break;
          }
          if (!this.in_grouping(this.g_v)) {
            break lab0;
          }
          break;
        }
        continue;
      }
      this.cursor = $v_4;
      break;
    }
    if (this.cursor >= this.limit) {
      return false;
    }
    this.cursor = $v_2;
    $among_var = this.find_among(this.a_9);
    if ($among_var === 1) {
      return false;
    }
    this.B_GE_removed = true;
    this.slice_del();
    $v_5 = this.cursor;
    lab0: {
      this.bra = this.cursor;
      $among_var = this.find_among(this.a_10);
      if ($among_var === 0) {
        break lab0;
      }
      this.ket = this.cursor;
      this.slice_from(this.as_10[$among_var - 1]);
    }
    this.cursor = $v_5;
    return true;
  }

  r_Lose_infix() {
    let $among_var, $v_1, $v_2, $v_3, $v_4, $v_5;
    if (this.cursor >= this.limit) {
      return false;
    }
    this.cursor += 1;
    while (true) {
      lab0: {
        this.bra = this.cursor;
        if (!this.eq_s("ge")) {
          break lab0;
        }
        this.ket = this.cursor;
        break;
      }
      if (this.cursor >= this.limit) {
        return false;
      }
      this.cursor += 1;
    }
    $v_1 = this.cursor;
    if (this.cursor + 3 > this.limit) {
      return false;
    }
    this.cursor += 3;
    this.cursor = $v_1;
    $v_2 = this.cursor;
    while (true) {
      $v_3 = this.cursor;
      lab0: {
        while (true) {
          lab1: {
            if (!this.eq_s("ij")) {
              break lab1;
            }
            break;
          }
          if (!this.in_grouping(this.g_v)) {
            break lab0;
          }
          break;
        }
        break;
      }
      this.cursor = $v_3;
      if (this.cursor >= this.limit) {
        return false;
      }
      this.cursor += 1;
    }
    while (true) {
      $v_4 = this.cursor;
      lab0: {
        while (true) {
          lab1: {
            if (!this.eq_s("ij")) {
              break lab1;
            }
            break;
          }
          if (!this.in_grouping(this.g_v)) {
            break lab0;
          }
          break;
        }
        continue;
      }
      this.cursor = $v_4;
      break;
    }
    if (this.cursor >= this.limit) {
      return false;
    }
    this.cursor = $v_2;
    this.B_GE_removed = true;
    this.slice_del();
    $v_5 = this.cursor;
    lab0: {
      this.bra = this.cursor;
      $among_var = this.find_among(this.a_11);
      if ($among_var === 0) {
        break lab0;
      }
      this.ket = this.cursor;
      this.slice_from(this.as_11[$among_var - 1]);
    }
    this.cursor = $v_5;
    return true;
  }

  r_measure() {
    let $v_1, $v_2, $v_3, $v_4, $v_5;
    this.I_p1 = this.limit;
    this.I_p2 = this.limit;
    $v_1 = this.cursor;
    lab0: {
      while (true) {
        lab1: {
          if (!this.out_grouping(this.g_v)) {
            break lab1;
          }
          continue;
        }
        break;
      }
      $v_2 = 1;
      while (true) {
        $v_3 = this.cursor;
        lab1: {
          while (true) {
            lab2: {
              if (!this.eq_s("ij")) {
                break lab2;
              }
              break;
            }
            if (!this.in_grouping(this.g_v)) {
              break lab1;
            }
            break;
          }
          $v_2 -= 1;
          continue;
        }
        this.cursor = $v_3;
        break;
      }
      if ($v_2 > 0) {
        break lab0;
      }
      if (!this.out_grouping(this.g_v)) {
        break lab0;
      }
      this.I_p1 = this.cursor;
      while (true) {
        lab1: {
          if (!this.out_grouping(this.g_v)) {
            break lab1;
          }
          continue;
        }
        break;
      }
      $v_4 = 1;
      while (true) {
        $v_5 = this.cursor;
        lab1: {
          while (true) {
            lab2: {
              if (!this.eq_s("ij")) {
                break lab2;
              }
              break;
            }
            if (!this.in_grouping(this.g_v)) {
              break lab1;
            }
            break;
          }
          $v_4 -= 1;
          continue;
        }
        this.cursor = $v_5;
        break;
      }
      if ($v_4 > 0) {
        break lab0;
      }
      if (!this.out_grouping(this.g_v)) {
        break lab0;
      }
      this.I_p2 = this.cursor;
    }
    this.cursor = $v_1;
    return true;
  }

  _stem() {
    let $B_stemmed, $v_1, $v_10, $v_11, $v_12, $v_2, $v_3, $v_4, $v_5, $v_6, $v_7, $v_8, $v_9;
    $B_stemmed = false;
    this.r_measure();
    this.limit_backward = this.cursor;
    this.cursor = this.limit;
    $v_1 = this.limit - this.cursor;
    lab0: {
      if (!this.r_Step_1()) {
        break lab0;
      }
      $B_stemmed = true;
    }
    this.cursor = this.limit - $v_1;
    $v_2 = this.limit - this.cursor;
    lab0: {
      if (!this.r_Step_2()) {
        break lab0;
      }
      $B_stemmed = true;
    }
    this.cursor = this.limit - $v_2;
    $v_3 = this.limit - this.cursor;
    lab0: {
      if (!this.r_Step_3()) {
        break lab0;
      }
      $B_stemmed = true;
    }
    this.cursor = this.limit - $v_3;
    $v_4 = this.limit - this.cursor;
    lab0: {
      if (!this.r_Step_4()) {
        break lab0;
      }
      $B_stemmed = true;
    }
    this.cursor = this.limit - $v_4;
    this.cursor = this.limit_backward;
    this.B_GE_removed = false;
    $v_5 = this.cursor;
    lab0: {
      $v_6 = this.cursor;
      if (!this.r_Lose_prefix()) {
        break lab0;
      }
      this.cursor = $v_6;
      this.r_measure();
    }
    this.cursor = $v_5;
    this.limit_backward = this.cursor;
    this.cursor = this.limit;
    $v_7 = this.limit - this.cursor;
    lab0: {
      if (!this.B_GE_removed) {
        break lab0;
      }
      $B_stemmed = true;
      if (!this.r_Step_1c()) {
        break lab0;
      }
    }
    this.cursor = this.limit - $v_7;
    this.cursor = this.limit_backward;
    this.B_GE_removed = false;
    $v_8 = this.cursor;
    lab0: {
      $v_9 = this.cursor;
      if (!this.r_Lose_infix()) {
        break lab0;
      }
      this.cursor = $v_9;
      this.r_measure();
    }
    this.cursor = $v_8;
    this.limit_backward = this.cursor;
    this.cursor = this.limit;
    $v_10 = this.limit - this.cursor;
    lab0: {
      if (!this.B_GE_removed) {
        break lab0;
      }
      $B_stemmed = true;
      if (!this.r_Step_1c()) {
        break lab0;
      }
    }
    this.cursor = this.limit - $v_10;
    this.cursor = this.limit_backward;
    this.limit_backward = this.cursor;
    this.cursor = this.limit;
    $v_11 = this.limit - this.cursor;
    lab0: {
      if (!this.r_Step_7()) {
        break lab0;
      }
      $B_stemmed = true;
    }
    this.cursor = this.limit - $v_11;
    $v_12 = this.limit - this.cursor;
    lab0: {
      if (!$B_stemmed) {
        break lab0;
      }
      if (!this.r_Step_6()) {
        break lab0;
      }
    }
    this.cursor = this.limit - $v_12;
    this.cursor = this.limit_backward;
    return true;
  }
  a_0 = table(
    ["a", -1, 1],
    ["e", -1, 2],
    ["o", -1, 1],
    ["u", -1, 1],
    ["à", -1, 1],
    ["á", -1, 1],
    ["â", -1, 1],
    ["ä", -1, 1],
    ["è", -1, 2],
    ["é", -1, 2],
    ["ê", -1, 2],
    ["eë", -1, 3],
    ["ië", -1, 4],
    ["ò", -1, 1],
    ["ó", -1, 1],
    ["ô", -1, 1],
    ["ö", -1, 1],
    ["ù", -1, 1],
    ["ú", -1, 1],
    ["û", -1, 1],
    ["ü", -1, 1],
  );
  a_1 = table(
    ["nde", -1, 8],
    ["en", -1, 7],
    ["s", -1, 2],
    ["'s", 2, 1],
    ["es", 2, 4],
    ["ies", 4, 3],
    ["aus", 2, 6],
    ["és", 2, 5],
  );
  a_2 = table(
    ["de", -1, 5],
    ["ge", -1, 2],
    ["ische", -1, 4],
    ["je", -1, 1],
    ["lijke", -1, 3],
    ["le", -1, 9],
    ["ene", -1, 10],
    ["re", -1, 8],
    ["se", -1, 7],
    ["te", -1, 6],
    ["ieve", -1, 11],
  );
  a_3 = table(
    ["heid", -1, 3],
    ["fie", -1, 7],
    ["gie", -1, 8],
    ["atie", -1, 1],
    ["isme", -1, 5],
    ["ing", -1, 5],
    ["arij", -1, 6],
    ["erij", -1, 5],
    ["sel", -1, 3],
    ["rder", -1, 4],
    ["ster", -1, 3],
    ["iteit", -1, 2],
    ["dst", -1, 10],
    ["tst", -1, 9],
  );
  a_4 = table(
    ["end", -1, 9],
    ["atief", -1, 2],
    ["erig", -1, 9],
    ["achtig", -1, 3],
    ["ioneel", -1, 1],
    ["baar", -1, 3],
    ["laar", -1, 5],
    ["naar", -1, 4],
    ["raar", -1, 6],
    ["eriger", -1, 9],
    ["achtiger", -1, 3],
    ["lijker", -1, 8],
    ["tant", -1, 7],
    ["erigst", -1, 9],
    ["achtigst", -1, 3],
    ["lijkst", -1, 8],
  );
  a_5 = table(
    ["ig", -1, 1],
    ["iger", -1, 1],
    ["igst", -1, 1],
  );
  a_6 = table(
    ["ft", -1, 2],
    ["kt", -1, 1],
    ["pt", -1, 3],
  );
  as_6 = ["k", "f", "p"];
  a_7 = table(
    ["bb", -1, 1],
    ["cc", -1, 2],
    ["dd", -1, 3],
    ["ff", -1, 4],
    ["gg", -1, 5],
    ["hh", -1, 6],
    ["jj", -1, 7],
    ["kk", -1, 8],
    ["ll", -1, 9],
    ["mm", -1, 10],
    ["nn", -1, 11],
    ["pp", -1, 12],
    ["qq", -1, 13],
    ["rr", -1, 14],
    ["ss", -1, 15],
    ["tt", -1, 16],
    ["v", -1, 4],
    ["vv", 16, 17],
    ["ww", -1, 18],
    ["xx", -1, 19],
    ["z", -1, 15],
    ["zz", 20, 20],
  );
  a_8 = table(
    ["d", -1, 1],
    ["t", -1, 2],
  );
  a_9 = table(
    ["", -1, -1],
    ["eft", 0, 1],
    ["vaa", 0, 1],
    ["val", 0, 1],
    ["vali", 3, -1],
    ["vare", 0, 1],
  );
  a_10 = table(
    ["ë", -1, 1],
    ["ï", -1, 2],
  );
  as_10 = ["e", "i"];
  a_11 = table(
    ["ë", -1, 1],
    ["ï", -1, 2],
  );
  as_11 = ["e", "i"];
}

const program = new DutchStemmer();

/** ISO 639-1 code. */
export const language = "nl";
/** Of Snowball. */
export const release = "3.1.1";
/** The stem of a word in lower case. */
export const stem = (word) => program.stem(word);
