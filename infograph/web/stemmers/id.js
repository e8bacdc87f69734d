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

class IndonesianStemmer extends Machine {
  g_vowel = new Set("aeiou");
  I_prefix = 0;
  I_measure = 0;

  r_remove_particle() {
    this.ket = this.cursor;
    if (this.find_among_b(this.a_0) === 0) {
      return false;
    }
    this.bra = this.cursor;
    this.slice_del();
    this.I_measure -= 1;
    return true;
  }

  r_remove_possessive_pronoun() {
    this.ket = this.cursor;
    if (this.find_among_b(this.a_1) === 0) {
      return false;
    }
    this.bra = this.cursor;
    this.slice_del();
    this.I_measure -= 1;
    return true;
  }

  r_remove_suffix() {
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
          if (this.I_prefix === 3) {
            break lab0;
          }
          if (this.I_prefix === 2) {
            break lab0;
          }
          if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "k") {
            break lab0;
          }
          this.cursor -= 1;
          this.bra = this.cursor;
          break;
        }
        this.cursor = this.limit - $v_1;
        if (this.I_prefix === 1) {
          return false;
        }
        break;
      }
    } else {
      if (this.I_prefix > 2) {
        return false;
      }
      lab0: {
        if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "s") {
          break lab0;
        }
        this.cursor -= 1;
        return false;
      }
    }
    this.slice_del();
    this.I_measure -= 1;
    return true;
  }

  r_remove_first_order_prefix() {
    let $among_var, $v_1, $v_2, $v_3, $v_4, $v_5, $v_6, $v_7, $v_8;
    this.bra = this.cursor;
    $among_var = this.find_among(this.a_3);
    if ($among_var === 0) {
      return false;
    }
    this.ket = this.cursor;
    if ($among_var === 1) {
      this.slice_del();
      this.I_prefix = 1;
      this.I_measure -= 1;
    } else if ($among_var === 2) {
      while (true) {
        $v_1 = this.cursor;
        lab0: {
          if (this.cursor === this.limit || this.current[this.cursor] !== "y") {
            break lab0;
          }
          this.cursor += 1;
          $v_2 = this.cursor;
          if (!this.in_grouping(this.g_vowel)) {
            break lab0;
          }
          this.cursor = $v_2;
          this.ket = this.cursor;
          this.slice_from("s");
          this.I_prefix = 1;
          this.I_measure -= 1;
          break;
        }
        this.cursor = $v_1;
        this.slice_del();
        this.I_prefix = 1;
        this.I_measure -= 1;
        break;
      }
    } else if ($among_var === 3) {
      this.slice_del();
      this.I_prefix = 3;
      this.I_measure -= 1;
    } else if ($among_var === 4) {
      while (true) {
        $v_3 = this.cursor;
        lab0: {
          if (this.cursor === this.limit || this.current[this.cursor] !== "y") {
            break lab0;
          }
          this.cursor += 1;
          $v_4 = this.cursor;
          if (!this.in_grouping(this.g_vowel)) {
            break lab0;
          }
          this.cursor = $v_4;
          this.ket = this.cursor;
          this.slice_from("s");
          this.I_prefix = 3;
          this.I_measure -= 1;
          break;
        }
        this.cursor = $v_3;
        this.slice_del();
        this.I_prefix = 3;
        this.I_measure -= 1;
        break;
      }
    } else if ($among_var === 5) {
      this.I_prefix = 1;
      this.I_measure -= 1;
      while (true) {
        $v_5 = this.cursor;
        lab0: {
          $v_6 = this.cursor;
          if (!this.in_grouping(this.g_vowel)) {
            break lab0;
          }
          this.cursor = $v_6;
          this.slice_from("p");
          break;
        }
        this.cursor = $v_5;
        this.slice_del();
        break;
      }
    } else {
      this.I_prefix = 3;
      this.I_measure -= 1;
      while (true) {
        $v_7 = this.cursor;
        lab0: {
          $v_8 = this.cursor;
          if (!this.in_grouping(this.g_vowel)) {
            break lab0;
          }
          this.cursor = $v_8;
          this.slice_from("p");
          break;
        }
        this.cursor = $v_7;
        this.slice_del();
        break;
      }
    }
    return true;
  }

  r_remove_second_order_prefix() {
    let $among_var, $v_1, $v_2;
    this.bra = this.cursor;
    $among_var = this.find_among(this.a_4);
    if ($among_var === 0) {
      return false;
    }
    if ($among_var === 1) {
      while (true) {
        $v_1 = this.cursor;
        lab0: {
          if (this.cursor === this.limit || this.current[this.cursor] !== "r") {
            break lab0;
          }
          this.cursor += 1;
          this.ket = this.cursor;
          this.I_prefix = 2;
          break;
        }
        this.cursor = $v_1;
        lab0: {
          if (this.cursor === this.limit || this.current[this.cursor] !== "l") {
            break lab0;
          }
          this.cursor += 1;
          this.ket = this.cursor;
          if (!this.eq_s("ajar")) {
            break lab0;
          }
          break;
        }
        this.cursor = $v_1;
        this.ket = this.cursor;
        this.I_prefix = 2;
        break;
      }
    } else {
      while (true) {
        $v_2 = this.cursor;
        lab0: {
          if (this.cursor === this.limit || this.current[this.cursor] !== "r") {
            break lab0;
          }
          this.cursor += 1;
          this.ket = this.cursor;
          break;
        }
        this.cursor = $v_2;
        lab0: {
          if (this.cursor === this.limit || this.current[this.cursor] !== "l") {
            break lab0;
          }
          this.cursor += 1;
          this.ket = this.cursor;
          if (!this.eq_s("ajar")) {
            break lab0;
          }
          break;
        }
        this.cursor = $v_2;
        this.ket = this.cursor;
        if (!this.out_grouping(this.g_vowel)) {
          return false;
        }
        if (!this.eq_s("er")) {
          return false;
        }
        break;
      }
      this.I_prefix = 4;
    }
    this.I_measure -= 1;
    this.slice_del();
    return true;
  }

  _stem() {
    let $v_1, $v_10, $v_2, $v_3, $v_4, $v_5, $v_6, $v_7, $v_8, $v_9;
    this.I_measure = 0;
    $v_1 = this.cursor;
    lab0: {
      while (true) {
        $v_2 = this.cursor;
        lab1: {
          if (!this.go_out_grouping(this.g_vowel)) {
            break lab1;
          }
          this.cursor += 1;
          this.I_measure += 1;
          continue;
        }
        this.cursor = $v_2;
        break;
      }
    }
    this.cursor = $v_1;
    if (this.I_measure <= 2) {
      return false;
    }
    this.I_prefix = 0;
    this.limit_backward = this.cursor;
    this.cursor = this.limit;
    $v_3 = this.limit - this.cursor;
    this.r_remove_particle();
    this.cursor = this.limit - $v_3;
    if (this.I_measure <= 2) {
      return false;
    }
    $v_4 = this.limit - this.cursor;
    this.r_remove_possessive_pronoun();
    this.cursor = this.limit - $v_4;
    this.cursor = this.limit_backward;
    if (this.I_measure <= 2) {
      return false;
    }
    while (true) {
      $v_5 = this.cursor;
      lab0: {
        $v_6 = this.cursor;
        if (!this.r_remove_first_order_prefix()) {
          break lab0;
        }
        $v_7 = this.cursor;
        lab1: {
          $v_8 = this.cursor;
          if (this.I_measure <= 2) {
            break lab1;
          }
          this.limit_backward = this.cursor;
          this.cursor = this.limit;
          if (!this.r_remove_suffix()) {
            break lab1;
          }
          this.cursor = this.limit_backward;
          this.cursor = $v_8;
          if (this.I_measure <= 2) {
            break lab1;
          }
          if (!this.r_remove_second_order_prefix()) {
            break lab1;
          }
        }
        this.cursor = $v_7;
        this.cursor = $v_6;
        break;
      }
      this.cursor = $v_5;
      $v_9 = this.cursor;
      this.r_remove_second_order_prefix();
      this.cursor = $v_9;
      $v_10 = this.cursor;
      lab0: {
        if (this.I_measure <= 2) {
          break lab0;
        }
        this.limit_backward = this.cursor;
        this.cursor = this.limit;
        if (!this.r_remove_suffix()) {
          break lab0;
        }
        this.cursor = this.limit_backward;
      }
      this.cursor = $v_10;
      break;
    }
    return true;
  }
  a_0 = table(
    ["kah", -1, 1],
    ["lah", -1, 1],
    ["pun", -1, 1],
  );
  a_1 = table(
    ["nya", -1, 1],
    ["ku", -1, 1],
    ["mu", -1, 1],
  );
  a_2 = table(
    ["i", -1, 2],
    ["an", -1, 1],
  );
  a_3 = table(
    ["di", -1, 1],
    ["ke", -1, 3],
    ["me", -1, 1],
    ["mem", 2, 5],
    ["men", 2, 2],
    ["meng", 4, 1],
    ["pem", -1, 6],
    ["pen", -1, 4],
    ["peng", 7, 3],
    ["ter", -1, 1],
  );
  a_4 = table(
    ["be", -1, 2],
    ["pe", -1, 1],
  );
}

const program = new IndonesianStemmer();

/** ISO 639-1 code. */
export const language = "id";
/** Of Snowball. */
export const release = "3.1.1";
/** The stem of a word in lower case. */
export const stem = (word) => program.stem(word);
