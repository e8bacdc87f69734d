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

class RussianStemmer extends Machine {
  g_v = new Set("аеиоуыэюя");
  I_p2 = 0;
  I_pV = 0;

  r_mark_regions() {
    let $v_1;
    this.I_pV = this.limit;
    this.I_p2 = this.limit;
    $v_1 = this.cursor;
    lab0: {
      if (!this.go_out_grouping(this.g_v)) {
        break lab0;
      }
      this.cursor += 1;
      this.I_pV = this.cursor;
      if (!this.go_in_grouping(this.g_v)) {
        break lab0;
      }
      this.cursor += 1;
      if (!this.go_out_grouping(this.g_v)) {
        break lab0;
      }
      this.cursor += 1;
      if (!this.go_in_grouping(this.g_v)) {
        break lab0;
      }
      this.cursor += 1;
      this.I_p2 = this.cursor;
    }
    this.cursor = $v_1;
    return true;
  }

  r_perfective_gerund() {
    let $among_var;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_0);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if ($among_var === 1) {
      while (true) {
        lab0: {
          if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "а") {
            break lab0;
          }
          this.cursor -= 1;
          break;
        }
        if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "я") {
          return false;
        }
        this.cursor -= 1;
        break;
      }
      this.slice_del();
    } else {
      this.slice_del();
    }
    return true;
  }

  r_adjective() {
    this.ket = this.cursor;
    if (this.find_among_b(this.a_1) === 0) {
      return false;
    }
    this.bra = this.cursor;
    this.slice_del();
    return true;
  }

  r_adjectival() {
    let $among_var, $v_1;
    if (!this.r_adjective()) {
      return false;
    }
    $v_1 = this.limit - this.cursor;
    lab0: {
      this.ket = this.cursor;
      $among_var = this.find_among_b(this.a_2);
      if ($among_var === 0) {
        this.cursor = this.limit - $v_1;
        break lab0;
      }
      this.bra = this.cursor;
      if ($among_var === 1) {
        while (true) {
          lab1: {
            if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "а") {
              break lab1;
            }
            this.cursor -= 1;
            break;
          }
          if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "я") {
            this.cursor = this.limit - $v_1;
            break lab0;
          }
          this.cursor -= 1;
          break;
        }
        this.slice_del();
      } else {
        this.slice_del();
      }
    }
    return true;
  }

  r_reflexive() {
    this.ket = this.cursor;
    if (this.find_among_b(this.a_3) === 0) {
      return false;
    }
    this.bra = this.cursor;
    this.slice_del();
    return true;
  }

  r_verb() {
    let $among_var;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_4);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if ($among_var === 1) {
      while (true) {
        lab0: {
          if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "а") {
            break lab0;
          }
          this.cursor -= 1;
          break;
        }
        if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "я") {
          return false;
        }
        this.cursor -= 1;
        break;
      }
      this.slice_del();
    } else {
      this.slice_del();
    }
    return true;
  }

  r_noun() {
    this.ket = this.cursor;
    if (this.find_among_b(this.a_5) === 0) {
      return false;
    }
    this.bra = this.cursor;
    this.slice_del();
    return true;
  }

  r_derivational() {
    this.ket = this.cursor;
    if (this.find_among_b(this.a_6) === 0) {
      return false;
    }
    this.bra = this.cursor;
    if (this.I_p2 > this.cursor) {
      return false;
    }
    this.slice_del();
    return true;
  }

  r_tidy_up() {
    let $among_var;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_7);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if ($among_var === 1) {
      this.slice_del();
      this.ket = this.cursor;
      if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "н") {
        return false;
      }
      this.cursor -= 1;
      this.bra = this.cursor;
      if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "н") {
        return false;
      }
      this.cursor -= 1;
      this.slice_del();
    } else if ($among_var === 2) {
      if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "н") {
        return false;
      }
      this.cursor -= 1;
      this.slice_del();
    } else {
      this.slice_del();
    }
    return true;
  }

  _stem() {
    let $v_1, $v_10, $v_11, $v_12, $v_2, $v_3, $v_5, $v_6, $v_7, $v_8, $v_9;
    $v_1 = this.cursor;
    lab0: {
      while (true) {
        $v_2 = this.cursor;
        lab1: {
          while (true) {
            $v_3 = this.cursor;
            lab2: {
              this.bra = this.cursor;
              if (this.cursor === this.limit || this.current[this.cursor] !== "ё") {
                break lab2;
              }
              this.cursor += 1;
              this.ket = this.cursor;
              this.cursor = $v_3;
              break;
            }
            this.cursor = $v_3;
            if (this.cursor >= this.limit) {
              break lab1;
            }
            this.cursor += 1;
          }
          this.slice_from("е");
          continue;
        }
        this.cursor = $v_2;
        break;
      }
    }
    this.cursor = $v_1;
    this.r_mark_regions();
    this.limit_backward = this.cursor;
    this.cursor = this.limit;
    if (this.cursor < this.I_pV) {
      return false;
    }
    $v_5 = this.limit_backward;
    this.limit_backward = this.I_pV;
    $v_6 = this.limit - this.cursor;
    lab0: {
      while (true) {
        $v_7 = this.limit - this.cursor;
        lab1: {
          if (!this.r_perfective_gerund()) {
            break lab1;
          }
          break;
        }
        this.cursor = this.limit - $v_7;
        $v_8 = this.limit - this.cursor;
        lab1: {
          if (!this.r_reflexive()) {
            this.cursor = this.limit - $v_8;
            break lab1;
          }
        }
        while (true) {
          $v_9 = this.limit - this.cursor;
          lab1: {
            if (!this.r_adjectival()) {
              break lab1;
            }
            break;
          }
          this.cursor = this.limit - $v_9;
          lab1: {
            if (!this.r_verb()) {
              break lab1;
            }
            break;
          }
          this.cursor = this.limit - $v_9;
          if (!this.r_noun()) {
            break lab0;
          }
          break;
        }
        break;
      }
    }
    this.cursor = this.limit - $v_6;
    $v_10 = this.limit - this.cursor;
    lab0: {
      this.ket = this.cursor;
      if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "и") {
        this.cursor = this.limit - $v_10;
        break lab0;
      }
      this.cursor -= 1;
      this.bra = this.cursor;
      this.slice_del();
    }
    $v_11 = this.limit - this.cursor;
    this.r_derivational();
    this.cursor = this.limit - $v_11;
    $v_12 = this.limit - this.cursor;
    this.r_tidy_up();
    this.cursor = this.limit - $v_12;
    this.limit_backward = $v_5;
    this.cursor = this.limit_backward;
    return true;
  }
  a_0 = table(
    ["в", -1, 1],
    ["ив", 0, 2],
    ["ыв", 0, 2],
    ["вши", -1, 1],
    ["ивши", 3, 2],
    ["ывши", 3, 2],
    ["вшись", -1, 1],
    ["ившись", 6, 2],
    ["ывшись", 6, 2],
  );
  a_1 = table(
    ["ее", -1, 1],
    ["ие", -1, 1],
    ["ое", -1, 1],
    ["ые", -1, 1],
    ["ими", -1, 1],
    ["ыми", -1, 1],
    ["ей", -1, 1],
    ["ий", -1, 1],
    ["ой", -1, 1],
    ["ый", -1, 1],
    ["ем", -1, 1],
    ["им", -1, 1],
    ["ом", -1, 1],
    ["ым", -1, 1],
    ["его", -1, 1],
    ["ого", -1, 1],
    ["ему", -1, 1],
    ["ому", -1, 1],
    ["их", -1, 1],
    ["ых", -1, 1],
    ["ею", -1, 1],
    ["ою", -1, 1],
    ["ую", -1, 1],
    ["юю", -1, 1],
    ["ая", -1, 1],
    ["яя", -1, 1],
  );
  a_2 = table(
    ["ем", -1, 1],
    ["нн", -1, 1],
    ["вш", -1, 1],
    ["ивш", 2, 2],
    ["ывш", 2, 2],
    ["щ", -1, 1],
    ["ющ", 5, 1],
    ["ующ", 6, 2],
  );
  a_3 = table(
    ["сь", -1, 1],
    ["ся", -1, 1],
  );
  a_4 = table(
    ["ла", -1, 1],
    ["ила", 0, 2],
    ["ыла", 0, 2],
    ["на", -1, 1],
    ["ена", 3, 2],
    ["ете", -1, 1],
    ["ите", -1, 2],
    ["йте", -1, 1],
    ["ейте", 7, 2],
    ["уйте", 7, 2],
    ["ли", -1, 1],
    ["или", 10, 2],
    ["ыли", 10, 2],
    ["й", -1, 1],
    ["ей", 13, 2],
    ["уй", 13, 2],
    ["л", -1, 1],
    ["ил", 16, 2],
    ["ыл", 16, 2],
    ["ем", -1, 1],
    ["им", -1, 2],
    ["ым", -1, 2],
    ["н", -1, 1],
    ["ен", 22, 2],
    ["ло", -1, 1],
    ["ило", 24, 2],
    ["ыло", 24, 2],
    ["но", -1, 1],
    ["ено", 27, 2],
    ["нно", 27, 1],
    ["ет", -1, 1],
    ["ует", 30, 2],
    ["ит", -1, 2],
    ["ыт", -1, 2],
    ["ют", -1, 1],
    ["уют", 34, 2],
    ["ят", -1, 2],
    ["ны", -1, 1],
    ["ены", 37, 2],
    ["ть", -1, 1],
    ["ить", 39, 2],
    ["ыть", 39, 2],
    ["ешь", -1, 1],
    ["ишь", -1, 2],
    ["ю", -1, 2],
    ["ую", 44, 2],
  );
  a_5 = table(
    ["а", -1, 1],
    ["ев", -1, 1],
    ["ов", -1, 1],
    ["е", -1, 1],
    ["ие", 3, 1],
    ["ье", 3, 1],
    ["и", -1, 1],
    ["еи", 6, 1],
    ["ии", 6, 1],
    ["ами", 6, 1],
    ["ями", 6, 1],
    ["иями", 10, 1],
    ["й", -1, 1],
    ["ей", 12, 1],
    ["ией", 13, 1],
    ["ий", 12, 1],
    ["ой", 12, 1],
    ["ам", -1, 1],
    ["ем", -1, 1],
    ["ием", 18, 1],
    ["ом", -1, 1],
    ["ям", -1, 1],
    ["иям", 21, 1],
    ["о", -1, 1],
    ["у", -1, 1],
    ["ах", -1, 1],
    ["ях", -1, 1],
    ["иях", 26, 1],
    ["ы", -1, 1],
    ["ь", -1, 1],
    ["ю", -1, 1],
    ["ию", 30, 1],
    ["ью", 30, 1],
    ["я", -1, 1],
    ["ия", 33, 1],
    ["ья", 33, 1],
  );
  a_6 = table(
    ["ост", -1, 1],
    ["ость", -1, 1],
  );
  a_7 = table(
    ["ейше", -1, 1],
    ["н", -1, 2],
    ["ейш", -1, 1],
    ["ь", -1, 3],
  );
}

const program = new RussianStemmer();

/** ISO 639-1 code. */
export const language = "ru";
/** Of Snowball. */
export const release = "3.1.1";
/** The stem of a word in lower case. */
export const stem = (word) => program.stem(word);
