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

class FinnishStemmer extends Machine {
  g_AEI = new Set("aeiä");
  g_C = new Set("bcdfghjklmnpqrstvwxz");
  g_v = new Set("aeiouyäö");
  g_particle_end = new Set("aeinotuyäö");
  B_ending_removed = false;
  I_p2 = 0;
  I_p1 = 0;

  r_mark_regions() {
    this.I_p1 = this.limit;
    this.I_p2 = this.limit;
    if (!this.go_out_grouping(this.g_v)) {
      return false;
    }
    this.cursor += 1;
    if (!this.go_in_grouping(this.g_v)) {
      return false;
    }
    this.cursor += 1;
    this.I_p1 = this.cursor;
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

  r_particle_etc() {
    let $among_var, $v_2;
    if (this.cursor < this.I_p1) {
      return false;
    }
    $v_2 = this.limit_backward;
    this.limit_backward = this.I_p1;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_0);
    if ($among_var === 0) {
      this.limit_backward = $v_2;
      return false;
    }
    this.bra = this.cursor;
    this.limit_backward = $v_2;
    if ($among_var === 1) {
      if (!this.in_grouping_b(this.g_particle_end)) {
        return false;
      }
    } else if (this.I_p2 > this.cursor) {
      return false;
    }
    this.slice_del();
    return true;
  }

  r_possessive() {
    let $among_var, $v_2;
    if (this.cursor < this.I_p1) {
      return false;
    }
    $v_2 = this.limit_backward;
    this.limit_backward = this.I_p1;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_4);
    if ($among_var === 0) {
      this.limit_backward = $v_2;
      return false;
    }
    this.bra = this.cursor;
    this.limit_backward = $v_2;
    if ($among_var === 1) {
      lab0: {
        if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "k") {
          break lab0;
        }
        this.cursor -= 1;
        return false;
      }
      this.slice_del();
    } else if ($among_var === 2) {
      this.slice_del();
      this.ket = this.cursor;
      if (!this.eq_s_b("kse")) {
        return false;
      }
      this.bra = this.cursor;
      this.slice_from("ksi");
    } else if ($among_var === 3) {
      this.slice_del();
    } else if ($among_var === 4) {
      if (this.find_among_b(this.a_1) === 0) {
        return false;
      }
      this.slice_del();
    } else if ($among_var === 5) {
      if (this.find_among_b(this.a_2) === 0) {
        return false;
      }
      this.slice_del();
    } else {
      if (this.find_among_b(this.a_3) === 0) {
        return false;
      }
      this.slice_del();
    }
    return true;
  }

  r_LV() {
    return this.find_among_b(this.a_5) !== 0;
  }

  r_VI() {
    return this.find_among_b(this.a_6) !== 0;
  }

  r_A() {
    while (true) {
      lab0: {
        if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "a") {
          break lab0;
        }
        this.cursor -= 1;
        break;
      }
      if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "'") {
        return false;
      }
      this.cursor -= 1;
      break;
    }
    return true;
  }

  r_E() {
    while (true) {
      lab0: {
        if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "e") {
          break lab0;
        }
        this.cursor -= 1;
        break;
      }
      if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "'") {
        return false;
      }
      this.cursor -= 1;
      break;
    }
    return true;
  }

  r_I() {
    while (true) {
      lab0: {
        if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "i") {
          break lab0;
        }
        this.cursor -= 1;
        break;
      }
      if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "'") {
        return false;
      }
      this.cursor -= 1;
      break;
    }
    return true;
  }

  r_O() {
    while (true) {
      lab0: {
        if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "o") {
          break lab0;
        }
        this.cursor -= 1;
        break;
      }
      if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "'") {
        return false;
      }
      this.cursor -= 1;
      break;
    }
    return true;
  }

  r_U() {
    while (true) {
      lab0: {
        if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "u") {
          break lab0;
        }
        this.cursor -= 1;
        break;
      }
      if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "'") {
        return false;
      }
      this.cursor -= 1;
      break;
    }
    return true;
  }

  r_A_() {
    while (true) {
      lab0: {
        if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "ä") {
          break lab0;
        }
        this.cursor -= 1;
        break;
      }
      if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "'") {
        return false;
      }
      this.cursor -= 1;
      break;
    }
    return true;
  }

  r_O_() {
    while (true) {
      lab0: {
        if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "ö") {
          break lab0;
        }
        this.cursor -= 1;
        break;
      }
      lab0: {
        if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "ø") {
          break lab0;
        }
        this.cursor -= 1;
        break;
      }
      if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "'") {
        return false;
      }
      this.cursor -= 1;
      break;
    }
    return true;
  }

  r_case_ending() {
    let $among_var, $v_2, $v_3, $v_4, $v_5;
    if (this.cursor < this.I_p1) {
      return false;
    }
    $v_2 = this.limit_backward;
    this.limit_backward = this.I_p1;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_7);
    if ($among_var === 0) {
      this.limit_backward = $v_2;
      return false;
    }
    this.bra = this.cursor;
    this.limit_backward = $v_2;
    if ($among_var === 1) {
      $v_3 = this.limit - this.cursor;
      lab0: {
        $v_4 = this.limit - this.cursor;
        while (true) {
          $v_5 = this.limit - this.cursor;
          lab1: {
            if (!this.r_LV()) {
              break lab1;
            }
            break;
          }
          this.cursor = this.limit - $v_5;
          if (!this.eq_s_b("ie")) {
            this.cursor = this.limit - $v_3;
            break lab0;
          }
          break;
        }
        this.cursor = this.limit - $v_4;
        if (this.cursor <= this.limit_backward) {
          this.cursor = this.limit - $v_3;
          break lab0;
        }
        this.cursor -= 1;
        this.bra = this.cursor;
      }
    } else if ($among_var === 2) {
      if (!this.in_grouping_b(this.g_v)) {
        return false;
      }
      if (!this.in_grouping_b(this.g_C)) {
        return false;
      }
    } else if ($among_var === 3) {
      if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "e") {
        return false;
      }
      this.cursor -= 1;
    }
    this.slice_del();
    this.B_ending_removed = true;
    return true;
  }

  r_other_endings() {
    let $among_var, $v_2;
    if (this.cursor < this.I_p2) {
      return false;
    }
    $v_2 = this.limit_backward;
    this.limit_backward = this.I_p2;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_8);
    if ($among_var === 0) {
      this.limit_backward = $v_2;
      return false;
    }
    this.bra = this.cursor;
    this.limit_backward = $v_2;
    if ($among_var === 1) {
      lab0: {
        if (!this.eq_s_b("po")) {
          break lab0;
        }
        return false;
      }
    }
    this.slice_del();
    return true;
  }

  r_i_plural() {
    let $v_2;
    if (this.cursor < this.I_p1) {
      return false;
    }
    $v_2 = this.limit_backward;
    this.limit_backward = this.I_p1;
    this.ket = this.cursor;
    if (this.find_among_b(this.a_9) === 0) {
      this.limit_backward = $v_2;
      return false;
    }
    this.bra = this.cursor;
    this.limit_backward = $v_2;
    this.slice_del();
    return true;
  }

  r_t_plural() {
    let $among_var, $v_2, $v_3, $v_5;
    if (this.cursor < this.I_p1) {
      return false;
    }
    $v_2 = this.limit_backward;
    this.limit_backward = this.I_p1;
    this.ket = this.cursor;
    if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "t") {
      this.limit_backward = $v_2;
      return false;
    }
    this.cursor -= 1;
    this.bra = this.cursor;
    $v_3 = this.limit - this.cursor;
    if (!this.in_grouping_b(this.g_v)) {
      this.limit_backward = $v_2;
      return false;
    }
    this.cursor = this.limit - $v_3;
    this.slice_del();
    this.limit_backward = $v_2;
    if (this.cursor < this.I_p2) {
      return false;
    }
    $v_5 = this.limit_backward;
    this.limit_backward = this.I_p2;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_10);
    if ($among_var === 0) {
      this.limit_backward = $v_5;
      return false;
    }
    this.bra = this.cursor;
    this.limit_backward = $v_5;
    if ($among_var === 1) {
      lab0: {
        if (!this.eq_s_b("po")) {
          break lab0;
        }
        return false;
      }
    }
    this.slice_del();
    return true;
  }

  r_tidy() {
    let $S_x, $v_2, $v_3, $v_4, $v_5, $v_6, $v_7, $v_8;
    if (this.cursor < this.I_p1) {
      return false;
    }
    $v_2 = this.limit_backward;
    this.limit_backward = this.I_p1;
    $v_3 = this.limit - this.cursor;
    lab0: {
      $v_4 = this.limit - this.cursor;
      if (!this.r_LV()) {
        break lab0;
      }
      this.cursor = this.limit - $v_4;
      this.ket = this.cursor;
      if (this.cursor <= this.limit_backward) {
        break lab0;
      }
      this.cursor -= 1;
      this.bra = this.cursor;
      this.slice_del();
    }
    this.cursor = this.limit - $v_3;
    $v_5 = this.limit - this.cursor;
    lab0: {
      this.ket = this.cursor;
      if (!this.in_grouping_b(this.g_AEI)) {
        break lab0;
      }
      this.bra = this.cursor;
      if (!this.in_grouping_b(this.g_C)) {
        break lab0;
      }
      this.slice_del();
    }
    this.cursor = this.limit - $v_5;
    $v_6 = this.limit - this.cursor;
    lab0: {
      this.ket = this.cursor;
      if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "j") {
        break lab0;
      }
      this.cursor -= 1;
      this.bra = this.cursor;
      while (true) {
        lab1: {
          if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "o") {
            break lab1;
          }
          this.cursor -= 1;
          break;
        }
        if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "u") {
          break lab0;
        }
        this.cursor -= 1;
        break;
      }
      this.slice_del();
    }
    this.cursor = this.limit - $v_6;
    $v_7 = this.limit - this.cursor;
    lab0: {
      this.ket = this.cursor;
      if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "o") {
        break lab0;
      }
      this.cursor -= 1;
      this.bra = this.cursor;
      if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "j") {
        break lab0;
      }
      this.cursor -= 1;
      this.slice_del();
    }
    this.cursor = this.limit - $v_7;
    this.limit_backward = $v_2;
    $v_8 = this.limit - this.cursor;
    lab0: {
      if (!this.go_in_grouping_b(this.g_v)) {
        break lab0;
      }
      this.ket = this.cursor;
      if (!this.in_grouping_b(this.g_C)) {
        break lab0;
      }
      this.bra = this.cursor;
      $S_x = this.slice_to();
      if (!this.eq_s_b($S_x)) {
        break lab0;
      }
      this.slice_del();
    }
    this.cursor = this.limit - $v_8;
    this.ket = this.cursor;
    if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "'") {
      return false;
    }
    this.cursor -= 1;
    this.bra = this.cursor;
    this.slice_del();
    return true;
  }

  _stem() {
    let $v_1, $v_2, $v_3, $v_4, $v_5, $v_6, $v_7, $v_8;
    $v_1 = this.cursor;
    this.r_mark_regions();
    this.cursor = $v_1;
    this.B_ending_removed = false;
    this.limit_backward = this.cursor;
    this.cursor = this.limit;
    $v_2 = this.limit - this.cursor;
    this.r_particle_etc();
    this.cursor = this.limit - $v_2;
    $v_3 = this.limit - this.cursor;
    this.r_possessive();
    this.cursor = this.limit - $v_3;
    $v_4 = this.limit - this.cursor;
    this.r_case_ending();
    this.cursor = this.limit - $v_4;
    $v_5 = this.limit - this.cursor;
    this.r_other_endings();
    this.cursor = this.limit - $v_5;
    while (true) {
      lab0: {
        if (!this.B_ending_removed) {
          break lab0;
        }
        $v_6 = this.limit - this.cursor;
        this.r_i_plural();
        this.cursor = this.limit - $v_6;
        break;
      }
      $v_7 = this.limit - this.cursor;
      this.r_t_plural();
      this.cursor = this.limit - $v_7;
      break;
    }
    $v_8 = this.limit - this.cursor;
    this.r_tidy();
    this.cursor = this.limit - $v_8;
    this.cursor = this.limit_backward;
    return true;
  }
  a_0 = table(
    ["pa", -1, 1],
    ["sti", -1, 2],
    ["kaan", -1, 1],
    ["han", -1, 1],
    ["kin", -1, 1],
    ["hän", -1, 1],
    ["kään", -1, 1],
    ["ko", -1, 1],
    ["pä", -1, 1],
    ["kö", -1, 1],
  );
  a_1 = table(
    ["lla", -1, -1],
    ["na", -1, -1],
    ["ssa", -1, -1],
    ["ta", -1, -1],
    ["lta", 3, -1],
    ["sta", 3, -1],
  );
  a_2 = table(
    ["llä", -1, -1],
    ["nä", -1, -1],
    ["ssä", -1, -1],
    ["tä", -1, -1],
    ["ltä", 3, -1],
    ["stä", 3, -1],
  );
  a_3 = table(
    ["lle", -1, -1],
    ["ine", -1, -1],
  );
  a_4 = table(
    ["nsa", -1, 3],
    ["mme", -1, 3],
    ["nne", -1, 3],
    ["ni", -1, 2],
    ["si", -1, 1],
    ["an", -1, 4],
    ["en", -1, 6],
    ["än", -1, 5],
    ["nsä", -1, 3],
  );
  a_5 = table(
    ["aa", -1, -1],
    ["ee", -1, -1],
    ["ii", -1, -1],
    ["oo", -1, -1],
    ["uu", -1, -1],
    ["ää", -1, -1],
    ["öö", -1, -1],
  );
  a_6 = table(
    ["'", -1, -1],
    ["ai", -1, -1],
    ["ei", -1, -1],
    ["ii", -1, -1],
    ["oi", -1, -1],
    ["ui", -1, -1],
    ["äi", -1, -1],
    ["öi", -1, -1],
  );
  a_7 = table(
    ["a", -1, 2],
    ["lla", 0, -1],
    ["na", 0, -1],
    ["ssa", 0, -1],
    ["ta", 0, -1],
    ["lta", 4, -1],
    ["sta", 4, -1],
    ["tta", 4, 3],
    ["lle", -1, -1],
    ["ine", -1, -1],
    ["ksi", -1, -1],
    ["n", -1, 1],
    ["han", 11, -1, "r_A"],
    ["den", 11, -1, "r_VI"],
    ["seen", 11, -1, "r_LV"],
    ["hen", 11, -1, "r_E"],
    ["tten", 11, -1, "r_VI"],
    ["hin", 11, -1, "r_I"],
    ["siin", 11, -1, "r_VI"],
    ["hon", 11, -1, "r_O"],
    ["hun", 11, -1, "r_U"],
    ["hän", 11, -1, "r_A_"],
    ["hön", 11, -1, "r_O_"],
    ["ä", -1, 2],
    ["llä", 23, -1],
    ["nä", 23, -1],
    ["ssä", 23, -1],
    ["tä", 23, -1],
    ["ltä", 27, -1],
    ["stä", 27, -1],
    ["ttä", 27, 3],
  );
  a_8 = table(
    ["eja", -1, -1],
    ["mma", -1, 1],
    ["imma", 1, -1],
    ["mpa", -1, 1],
    ["impa", 3, -1],
    ["mmi", -1, 1],
    ["immi", 5, -1],
    ["mpi", -1, 1],
    ["impi", 7, -1],
    ["ejä", -1, -1],
    ["mmä", -1, 1],
    ["immä", 10, -1],
    ["mpä", -1, 1],
    ["impä", 12, -1],
  );
  a_9 = table(
    ["i", -1, -1],
    ["j", -1, -1],
  );
  a_10 = table(
    ["mma", -1, 1],
    ["imma", 0, -1],
  );
}

const program = new FinnishStemmer();

/** ISO 639-1 code. */
export const language = "fi";
/** Of Snowball. */
export const release = "3.1.1";
/** The stem of a word in lower case. */
export const stem = (word) => program.stem(word);
